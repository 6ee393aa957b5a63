import { expect, test } from "vitest";
import { within } from "./within";

const HERE = "https://felt.example";

test("a page of this site keeps its full path, query and hash", () => {
  expect(within("/felt/practice-pa?seat=3#log", HERE)).toBe("/felt/practice-pa?seat=3#log");
  expect(within("/profile", HERE)).toBe("/profile");
});

test("other sites are refused", () => {
  for (const to of [
    "https://evil.example/",
    "//evil.example/x",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "felt",
    "",
    "/\t/evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
  ])
    expect(within(to, HERE), to).toBe("/");
  expect(within(null, HERE)).toBe("/");
});

test("the sign-in page isn't a target", () => {
  expect(within("/sign-in?to=%2Fsign-in", HERE)).toBe("/");
});
