import { expect, test } from "vitest";
import { approximately, compare, decimal, percent } from "./fraction";
import { bare, money, plain, read, signed } from "./money";

test("fractions are written without floats", () => {
  expect(percent("7/495")).toBe("1.414 %");
  expect(percent("1/66")).toBe("1.515 %");
  expect(percent("-1/8", 1)).toBe("−12.5 %");
  expect(percent("1/400", 1)).toBe("0.3 %");
  expect(decimal("-1/100000", 3)).toBe("0.000");
  expect(decimal("123456789012345678901234567891/10", 1)).toBe("12345678901234567890123456789.1");
  expect(compare("1/66", "7/495")).toBe(1);
  expect(compare("2/4", "1/2")).toBe(0);
  expect(approximately("1/4")).toBe(0.25);
});

test("amounts are written and read in minor units", () => {
  expect(money(37900)).toBe("$379");
  expect(money(-550)).toBe("−$5.50");
  expect(signed(1400)).toBe("+$14");
  expect(bare(0)).toBe("0");
  expect(plain(123456789)).toBe("1,234,567.89");
  expect(read("$1,250.5")).toBe(125050);
  expect(read("12")).toBe(1200);
  for (const wrong of ["", "abc", "-5", "1.234", "1e3", "12345678901"]) expect(read(wrong)).toBeNull();
});
