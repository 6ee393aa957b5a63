import { describe, expect, test } from "vitest";
import type { Layout } from "../../felt/layout";
import { endOf, partsOf } from "./parts";

const layout = {
  ends: ["left", "right"],
  stations: [
    { seat: 1, end: "right" },
    { seat: 12, end: "left" },
  ],
} as unknown as Layout;

describe("parts of a felt", () => {
  test("a seat is at its dealer's end; an unknown seat gets the last end", () => {
    expect([1, 12, 99].map((seat) => endOf(layout, seat))).toEqual(["right", "left", "right"]);
  });

  test("are the parts of the layout, and the whole", () => {
    const view = (band: "boxes" | "line" | "centre" | "side", h: number) => ({ band, x: 0, y: 0, w: 780, h });
    expect(partsOf({ views: [view("boxes", 900), view("line", 500), view("centre", 700), view("side", 0)] })).toEqual([
      "whole",
      "boxes",
      "centre",
    ]);
    expect(partsOf(null)).toEqual(["whole"]);
  });
});
