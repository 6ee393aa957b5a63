/** What of a felt a narrow window shows: all of it, or one part of the layout that the server draws for such windows. */
import type { Band, End, Layout } from "../../felt/layout";

export type Part = "whole" | Exclude<Band, "line">;

export const PART_NAMES: Record<Part, string> = { whole: "Whole", boxes: "Boxes", centre: "Center", side: "Side" };

/** The end at which a seat has its dealer; the last one for a seat that has none. */
export function endOf(layout: Layout, seat: number): End {
  return layout.stations.find((station) => station.seat === seat)?.end ?? layout.ends.at(-1) ?? "right";
}

/** The parts that there are. The line is within the boxes' part: there is nothing to press here that would need more room. */
export function partsOf(slim: Pick<Layout, "views"> | null): Part[] {
  return [
    "whole",
    ...(["boxes", "centre", "side"] as const).filter((of) => slim?.views.some((one) => one.band === of && one.h > 0)),
  ];
}
