import { render } from "svelte/server";
import { expect, test } from "vitest";
import FactList from "./FactList.svelte";
import MarkBadge from "./MarkBadge.svelte";
import MarkLegend from "./MarkLegend.svelte";
import { MARKS } from "./marks";

test("every fact has its mark as a word, with its meaning as a tooltip", () => {
  const fact = (mark: string) => ({
    aspect: "pays",
    value: "1 to 1",
    cite: "X 1",
    days: "always",
    readings: [],
    mark,
    subjects: ["field"],
  });
  const names = { wagers: new Map(), asks: new Map() };
  const { body } = render(FactList, { props: { facts: MARKS.map(({ mark }) => fact(mark)), names, book: "x" } });
  for (const { mark, means } of MARKS) expect(body).toMatch(new RegExp(`title="${means}"[^>]*>${mark}<`));
});

test("the legend explains every mark in plain sight, not only in a tooltip", () => {
  const { body } = render(MarkLegend);
  for (const { means } of MARKS) expect(body).toContain(`>${means}<`);
});

test("a badge can count the facts with its mark", () => {
  expect(render(MarkBadge, { props: { mark: "paper", count: 5 } }).body).toMatch(/>paper 5</);
  expect(render(MarkBadge, { props: { mark: "paper" } }).body).toMatch(/>paper</);
});
