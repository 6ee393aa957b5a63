import { expect, test } from "vitest";
import { asked, told, typed, used } from "./limits";

test("all limits are sent; an empty field means no limit", () => {
  expect(asked({ loss: "$1,250.50", minutes: "120", reminder: "30" })).toEqual({
    asked: { loss: 125_050, minutes: 120, reminder: 30 },
  });
  expect(asked({ loss: " ", minutes: "", reminder: "" })).toEqual({
    asked: { loss: null, minutes: null, reminder: null },
  });
  // A loss limit of zero is a limit.
  expect(asked({ loss: "0", minutes: "", reminder: "" })).toMatchObject({ asked: { loss: 0 } });
});

test("errors are reported by field", () => {
  const found = asked({ loss: "-5", minutes: "0", reminder: "often" });
  expect(Object.keys("wrong" in found ? found.wrong : {}).sort()).toEqual(["loss", "minutes", "reminder"]);
});

test("the form shows the limits that were requested last", () => {
  const shown = {
    set: { loss: 20_000, minutes: 60 },
    coming: { set: { loss: 30_050, minutes: 60, reminder: 30 }, from: 1 },
    lost: 0,
  };
  expect(typed(shown)).toEqual({ loss: "300.50", minutes: "60", reminder: "30" });
  expect(typed({ set: {}, lost: 0 })).toEqual({ loss: "", minutes: "", reminder: "" });
  expect(asked(typed(shown))).toEqual({ asked: shown.coming.set });
});

test("limits as text, and how much of them is used", () => {
  expect(told({ loss: 20_000, minutes: 90 })).toEqual([
    "at most $200 lost in a visit",
    "at most 1 hour 30 minutes in a visit",
    "no reminder",
  ]);
  expect([used(50, 200), used(300, 200), used(-5, 200), used(0, 0)]).toEqual([0.25, 1, 0, 1]);
});
