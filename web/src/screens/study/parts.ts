/** What part of a felt is looked at where the whole is too small: one end with its line, or the centre. */
import { boxOf, type Box, type End, type Layout } from "../../felt/layout";

export type Part = "whole" | "end" | "centre";

const MARGIN = 14;

/** The end at which a seat has its dealer; the last one for whoever has none. */
export function endOf(layout: Layout, seat: number): End {
  return layout.stations.find((station) => station.seat === seat)?.end ?? layout.ends.at(-1) ?? "right";
}

/** The box around everything that belongs to a part; none is the whole surface with its rail. */
export function partOf(layout: Layout, part: Part, seat: number): Box | null {
  if (part === "whole") return null;
  const end = part === "centre" ? "centre" : endOf(layout, seat);
  const boxes = layout.areas.filter((area) => area.end === end && area.seat === null).map((area) => boxOf(area.shape));
  if (boxes.length === 0) return null;
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.x + box.w)), Math.max(...boxes.map((box) => box.y + box.h))];
  return { x: x - MARGIN, y: y - MARGIN, w: right - x + 2 * MARGIN, h: bottom - y + 2 * MARGIN };
}
