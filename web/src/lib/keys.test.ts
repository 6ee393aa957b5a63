import { expect, test } from "vitest";
import { ACTIONS, actionFor, assign, clear, keyOf, named, restore } from "./keys";

test("each action has its own default key and its own name", () => {
  expect(new Set(ACTIONS.map((action) => action.usual)).size).toBe(ACTIONS.length);
  expect(new Set(ACTIONS.map((action) => action.id)).size).toBe(ACTIONS.length);
});

test("a key runs its action", () => {
  expect(actionFor({ key: "u", shiftKey: false }, {}, true)).toBe("undo");
  expect(actionFor({ key: "U", shiftKey: true }, {}, true)).toBe("redo");
  expect(actionFor({ key: " " }, {}, true)).toBe("roll");
  expect(actionFor({ key: "?", shiftKey: true }, {}, true)).toBe("ask");
  expect(actionFor({ key: "x", shiftKey: false }, {}, true)).toBeNull();
});

test("caps lock does not turn undo into redo", () => {
  expect(actionFor({ key: "U", shiftKey: false }, {}, true)).toBe("undo");
  expect(actionFor({ key: "u", shiftKey: true }, {}, true)).toBe("redo");
});

test("keys with Control, Alt or Meta are left to the browser", () => {
  for (const held of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }])
    expect(actionFor({ key: "r", ...held }, {}, true)).toBeNull();
  expect(named({ key: "Shift", shiftKey: true })).toBeNull();
});

test("with letters off, only keys that aren't single characters act", () => {
  for (const action of ACTIONS) {
    const pressed = action.usual === "Space" ? " " : action.usual;
    const found = actionFor({ key: pressed, shiftKey: /[A-Z?]/.test(pressed) && pressed.length === 1 }, {}, false);
    expect(found).toBe(["Enter", "Delete", "Space"].includes(action.usual) ? action.id : null);
  }
  expect(actionFor({ key: "F2" }, { undo: "F2" }, false)).toBe("undo");
});

test("an action gets a new key, and its old key does nothing", () => {
  const given = assign({}, "why", "y");
  expect(given).toEqual({ changed: { why: "y" } });
  expect(actionFor({ key: "y", shiftKey: false }, { why: "y" }, true)).toBe("why");
  expect(actionFor({ key: "w", shiftKey: false }, { why: "y" }, true)).toBeNull();
});

test("a key of another action is refused, and so is a navigation key", () => {
  expect(assign({}, "why", "u")).toHaveProperty("refused", expect.stringContaining("Undo"));
  expect(assign({ undo: "z" }, "why", "z")).toHaveProperty("refused");
  // A key that an action no longer uses is free.
  expect(assign({ undo: "z" }, "why", "u")).toEqual({ changed: { undo: "z", why: "u" } });
  for (const key of ["Tab", "Escape", "ArrowUp"]) expect(assign({}, "why", key)).toHaveProperty("refused");
  expect(assign({}, "nothing", "y")).toHaveProperty("refused");
});

test("an action can lose its key and get its default key back", () => {
  const none = clear({}, "roll");
  expect(keyOf("roll", none)).toBeNull();
  expect(actionFor({ key: " " }, none, true)).toBeNull();
  expect(restore(none, "roll")).toEqual({ changed: {} });
  expect(restore({ undo: "z", why: "u" }, "undo")).toHaveProperty("refused");
});

test("names that every object has aren't actions", () => {
  expect(keyOf("constructor", {})).toBeNull();
  expect(keyOf("toString", {})).toBeNull();
});
