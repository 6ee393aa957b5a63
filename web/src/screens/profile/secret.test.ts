import { expect, test } from "vitest";
import { grouped, image } from "./secret";

test("a secret is shown in groups of four", () => {
  expect(grouped("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")).toBe("GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
  expect(grouped("ABCDE")).toBe("ABCD E");
  expect(grouped("")).toBe("");
});

test("a drawing is an image whatever is in it", () => {
  const svg = `<svg fill="#fff"><path d="M0 0h1%20"/></svg>`;
  expect(image(svg).startsWith("data:image/svg+xml,")).toBe(true);
  expect(image(svg)).not.toMatch(/[#"<> ]/);
  expect(decodeURIComponent(image(svg).split(",")[1] ?? "")).toBe(svg);
});
