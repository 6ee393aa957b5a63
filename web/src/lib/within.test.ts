import { expect, test } from "vitest";
import { within } from "./within";

const HERE = "https://felt.example";

test("a page of our own is gone to with all of its address", () => {
  expect(within("/felt/practice-pa?seat=3#log", HERE)).toBe("/felt/practice-pa?seat=3#log");
  expect(within("/profile", HERE)).toBe("/profile");
});

test("nobody is sent elsewhere", () => {
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

test("nor in a circle", () => {
  expect(within("/sign-in?to=%2Fsign-in", HERE)).toBe("/");
});
