/** A finger on the felt: the area under it, and the data for the magnifier above it. */
import type { Area, Point } from "./layout";

export interface Touched {
  area: Area;
  /** The position of the finger in the window. */
  at: Point;
  /** The position on the layout, in millimeters. */
  on: Point;
  /** Pixels per millimeter. */
  scale: number;
  /** The id of the drawing that the magnifier shows. */
  drawing: string;
}
