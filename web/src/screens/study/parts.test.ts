import { describe, expect, test } from "vitest";
import type { Area, Layout } from "../../felt/layout";
import { endOf, partOf } from "./parts";

const area = (end: Area["end"], x: number, y: number, seat: number | null = null) => ({ end, seat, shape: { kind: "rect", x, y, w: 100, h: 50, r: [0, 0, 0, 0] } }) as unknown as Area;
const layout = { ends: ["left", "right"], stations: [{ seat: 1, end: "right" }, { seat: 12, end: "left" }], areas: [area("left", 10, 20), area("left", 200, 300), area("centre", 500, 20), area("right", 900, 20), area("right", 2000, 20, 1)] } as unknown as Layout;

describe("a part of the felt", () => {
  test("is the end of the seat's dealer, without what belongs to single stations", () => {
    expect(partOf(layout, "end", 12)).toEqual({ x: -4, y: 6, w: 318, h: 358 });
    expect(partOf(layout, "end", 1)).toEqual({ x: 886, y: 6, w: 128, h: 78 });
    expect(partOf(layout, "centre", 1)?.x).toBe(486);
    expect(partOf(layout, "whole", 1)).toBeNull();
  });

  test("somebody without a station looks at the last end", () => {
    expect(endOf(layout, 99)).toBe("right");
    expect(partOf({ ...layout, areas: [] }, "end", 1)).toBeNull();
  });
});
