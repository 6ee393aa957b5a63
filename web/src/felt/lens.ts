/** A finger on the felt: the area beneath it, and what a lens above it needs to know. */
import type { Area, Point } from "./layout";

export interface Touched {
  area: Area;
  /** Where the finger is in the window. */
  at: Point;
  /** Where it is on the layout, in millimetres. */
  on: Point;
  /** Pixels to a millimetre. */
  scale: number;
  /** The drawing, to be drawn again. */
  drawing: string;
}
