import { expect, test } from "vitest";
import {
  byWager,
  closest,
  dollars,
  ends,
  error,
  extent,
  figures,
  form,
  gain,
  number,
  rests,
  share,
  shown,
  sides,
  verdict,
  type Measure,
} from "./figures";
import type { Answer, Duel } from "./result";

export const ANSWER: Answer = {
  form: "tabulated",
  why_form: "the table was asked for",
  strategy: "Molly",
  book: "pa",
  as_of: "2023-10-01",
  seed: 7,
  sessions: 6000,
  asked: 6000,
  partial: false,
  throws: 1_079_876,
  throws_per_second: 5e7,
  states: 118,
  seconds: 1.2,
  buy_in: 2000,
  most_throws: 180,
  stop: null,
  goal: null,
  mean: -15.615,
  sd: 669.0167,
  p_behind: 0.51083,
  p_ahead: 0.48233,
  p_double: 0.00183,
  p_stop: 0,
  p_goal: 0,
  p_broke: 0.0015,
  throws_mean: 180,
  quantiles: { "5": -1110, "50": -20 },
  edge_by_wager: { come: 0.011105, pass: 0.013012 },
  net_by_wager: { pass: -6.93, come: -8.3 },
  resolved_by_wager: { come: 747.62, pass: 532.74 },
  loss_per_hour: 8.675,
  pace: 100,
  drawdown: { mean: 764.58, worst_of_95: 1390 },
  intervals: {
    mean: [-32.54, 1.31],
    mean_controlled: [-15.6014, -14.3183],
    p_ahead: [0.4697, 0.495],
    throws_mean: [179.96, 180.04],
  },
  refusals: [],
  notes: [],
  definitions: [],
  mean_controlled: -14.9598,
  sessions_seen: 5555,
  sessions_followed: 5555,
  command: "boxperson sim molly",
};
const EXACT: Answer = {
  ...ANSWER,
  form: "exact",
  sessions: 0,
  mean: -2.9177851234,
  intervals: {},
  mean_controlled: null,
  drawdown: null,
};
const duel = (changes: Partial<Duel>): Duel => ({
  one: ANSWER,
  other: { ...ANSWER, strategy: "Pass" },
  sessions: 3000,
  difference_mean: -5.07,
  difference_sd: 269.5,
  difference_interval: [-14.7, 4.6],
  difference_controlled: null,
  difference_controlled_error: null,
  difference_controlled_sessions: null,
  ...changes,
});
const find = (answer: Answer, id: Measure) => figures(answer).find((figure) => figure.id === id)!;

test("numbers have thousands separators and zero has no sign", () => {
  expect(number(-1234567.891, 2)).toBe("−1,234,567.89");
  expect(dollars(-0.001)).toBe("$0.00");
  expect(dollars(-2.917785, 4)).toBe("−$2.9178");
  expect(gain(300, 0)).toBe("+$300");
  expect(gain(0.001)).toBe("$0.00");
  expect(share(0.48233)).toBe("48.2 %");
  expect(number(Number.NaN, 2)).toBe("–");
});

test("a sampled figure has its interval, an exact one more digits", () => {
  const mean = find(ANSWER, "mean");
  expect([shown(mean), error(mean), ends(mean)]).toEqual(["−$15.62", "± 16.93", ["−$32.54", "$1.31"]]);
  const exact = find(EXACT, "mean");
  expect([shown(exact), error(exact), ends(exact)]).toEqual(["−$2.917785", null, null]);
  expect(error(find(ANSWER, "p_ahead"), true)).toBe("± 1.3");
  expect(error(find(ANSWER, "mean_controlled"))).toBe("± 0.6415");
});

test("a share of zero still has a readable interval", () => {
  const none = { id: "p_broke", name: "Ended broke", kind: "share", value: 0, interval: [0, 0.000384] } as const;
  expect([
    shown({ ...none, interval: [0, 0.000384] }, true),
    error({ ...none, interval: [0, 0.000384] }, true),
  ]).toEqual(["0.00 %", "± 0.02"]);
});

test("the loss per hour has the interval of the mean with the sign reversed", () => {
  const hour = find(ANSWER, "loss_per_hour");
  expect(hour.interval![0]).toBeCloseTo(-0.7278, 3);
  expect(hour.interval![1]).toBeCloseTo(18.078, 3);
});

test("limits are shown only if they are set", () => {
  expect(figures(ANSWER).some((figure) => ["p_goal", "p_stop"].includes(figure.id))).toBe(false);
  expect(figures({ ...ANSWER, goal: 300, stop: -200 }).map((figure) => figure.name)).toEqual(
    expect.arrayContaining(["Ended at the goal of +$300", "Ended at the stop of −$200"]),
  );
  expect(extent({ ...ANSWER, goal: 300, partial: true, sessions: 100 }).join(", ")).toBe(
    "100 of 6,000 sessions, at most 180 rolls, buy-in $2,000, goal +$300, seed 7",
  );
  expect(extent(EXACT)[0]).toBe("every session");
});

test("the form says if an answer is exact or sampled", () => {
  expect(form(EXACT)).toEqual({ exact: true, words: "exact: solved on 118 positions, no dice and no error" });
  expect(form(ANSWER).words).toBe("sampled: 6,000 sessions, tabulated on 118 positions");
  expect(rests(ANSWER)).toContain("the first 5,555 sessions");
  expect(rests(EXACT)).toBeNull();
});

test("a duel says that the sessions don't decide if and only if its interval contains 0", () => {
  expect(verdict(duel({}))).toBe("The interval contains 0, so these sessions don't show which is better.");
  expect(verdict(duel({ difference_interval: [0, 4] }))).toContain("contains 0");
  expect(verdict(duel({ difference_interval: [-14, -2] }))).toMatch(/entirely below 0.*Molly does worse than Pass/);
  expect(verdict(duel({ difference_interval: [2, 14] }))).toMatch(/entirely above 0.*better/);
});

test("the interval without the luck of the rolls decides, if there is one", () => {
  const told = duel({ difference_controlled: -1.66, difference_controlled_error: 0.18 });
  expect(closest(told)![1]).toBeCloseTo(-1.307, 3);
  expect(verdict(told)).toMatch(/results contains 0, but without the luck .* entirely below 0/);
  expect(verdict({ ...told, difference_interval: [-9, -1] })).toMatch(/^The interval is entirely below 0/);
});

test("no difference, and an exact difference, have no interval", () => {
  expect(
    verdict(
      duel({ difference_mean: 0, difference_interval: null, difference_controlled: 0, difference_controlled_error: 0 }),
    ),
  ).toContain("the same result in every session");
  expect(verdict(duel({ difference_mean: -1.25, difference_interval: null }))).toContain("ends $1.2500 lower");
});

test("the same strategy under two books is named with the book", () => {
  expect(sides(duel({ other: { ...ANSWER, book: "nj" } }))).toEqual(["Molly, pa", "Molly, nj"]);
});

test("wagers add up and the largest loss comes first", () => {
  const { rows, all } = byWager(ANSWER);
  expect(rows.map((row) => row.wager)).toEqual(["come", "pass"]);
  expect(all.net).toBeCloseTo(-15.23, 6);
  expect(all.lost).toBeCloseTo(15.23 / 1280.36, 9);
});

test("exact whole cents have two decimals", () => {
  const exact = (value: number) => shown({ id: "mean", name: "", kind: "money", value, interval: null });
  expect([exact(-50), exact(0.433353), exact(12.5), exact(0)]).toEqual(["−$50.00", "$0.433353", "$12.50", "$0.00"]);
});
