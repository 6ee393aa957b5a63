import { expect, test } from "vitest";
import { QUESTIONS } from "./questions";
import { addressed, order } from "./setup";

test("every starting question can be run", () => {
  for (const { address, asks } of QUESTIONS) {
    const setup = addressed(new URL(address, "http://x").searchParams, "");
    const found = order(setup);
    expect("order" in found, asks).toBe(true);
    expect(setup.strategy, asks).not.toBeNull();
    if ("order" in found && setup.rival) expect(found.order.versus, asks).toBeDefined();
  }
});
