/** The parts of the felt that a narrow window can show: all of it, or one part of the server's narrow layout. */
import type { Band, End, Layout } from "../../felt/layout";

export type Part = "whole" | Exclude<Band, "line">;

export const PART_NAMES: Record<Part, string> = { whole: "Whole", boxes: "Boxes", centre: "Center", side: "Side" };

/** The end of the table for a seat, or the last end for an unknown seat. */
export function endOf(layout: Layout, seat: number): End {
  return layout.stations.find((station) => station.seat === seat)?.end ?? layout.ends.at(-1) ?? "right";
}

/** The available parts. The line is included in the boxes, because nothing here is pressed and so it needs no extra room. */
export function partsOf(slim: Pick<Layout, "views"> | null): Part[] {
  return [
    "whole",
    ...(["boxes", "centre", "side"] as const).filter((of) => slim?.views.some((one) => one.band === of && one.h > 0)),
  ];
}
