import { expect, test } from "vitest";
import { invited } from "./client";

const page = new URL("https://felt.example/felt/t-12?seat=1&invitation=ab%26c");

test("requests for a private table include its invitation", () => {
  expect(invited("/tables/t-12", page)).toBe("/tables/t-12?invitation=ab%26c");
  expect(invited("/tables/t-12/stream?from=3", page)).toBe("/tables/t-12/stream?from=3&invitation=ab%26c");
});

test("other requests don't include it", () => {
  for (const other of ["/tables", "/tables/t-123", "/me", "/tables/t-1/rolls"])
    expect(invited(other, page)).toBe(other);
  expect(invited("/tables/t-12", new URL("https://felt.example/felt/t-12"))).toBe("/tables/t-12");
});
