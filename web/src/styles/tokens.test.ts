/** Tests contrast and color differences from the text of the style sheets, for both themes and every palette. */
import { readdirSync, readFileSync } from "node:fs";
import { render } from "svelte/server";
import { describe, expect, test } from "vitest";
import { chipFace, rack } from "../lib/chips";
import { bare, signed } from "../lib/money";
import { signOf } from "../lib/told";
import Chip from "../ui/Chip.svelte";
import Grid36 from "../ui/Grid36.svelte";
import { apart, color, contrast, EYES, luminance, over, type Light } from "./color";
import { colorsIn, pairsIn, palettesOf, tokensOf, type Look } from "./tokens";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const sheet = read("tokens.css");
const sources = readdirSync(new URL("..", import.meta.url), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".svelte") || path.endsWith("base.css"))
  .map((path) => ({ path, source: read(`../${path}`) }));

const LOOKS: Look[] = palettesOf(sheet).flatMap((palette) =>
  (["light", "dark"] as const).map((theme) => ({ theme, palette })),
);
const TEXT = 4.5;
const EDGE = 3;

function painted(look: Look): (name: string) => Light {
  const tokens = tokensOf(sheet, look);
  return (name) => color(tokens.get(`--${name}`) ?? `none called ${name}`);
}

/** The pairs whose contrast is too low, as text. */
function tooClose(pairs: [string, Light, string, Light][], least: number): string[] {
  return pairs.flatMap(([one, a, other, b]) =>
    contrast(a, b) < least ? [`${one} on ${other}: ${contrast(a, b).toFixed(2)}`] : [],
  );
}

const cross = (some: string[], others: string[], of: (name: string) => Light): [string, Light, string, Light][] =>
  some.flatMap((one) => others.map((other): [string, Light, string, Light] => [one, of(one), other, of(other)]));

test("the style sheet has exactly the palettes that can be chosen", () => {
  const offered = /type Palette = ([^;]+);/.exec(read("../lib/settings.svelte.ts"))?.[1];
  expect(
    palettesOf(sheet)
      .map((name) => `"${name}"`)
      .join(" | "),
  ).toBe(offered);
});

test("the measurements are right", () => {
  expect(contrast(color("#000000"), color("#ffffff"))).toBeCloseTo(21, 5);
  expect(contrast(color("#767676"), color("#ffffff"))).toBeCloseTo(4.54, 2);
  // Gray stays gray for everyone. Red and green look similar to people who don't see red or green, but not to people who don't see blue.
  for (const see of Object.values(EYES)) expect(apart(see(color("#808080")), color("#808080"))).toBeLessThan(1);
  const [red, green] = [color("#c02d27"), color("#5b7a1e")];
  expect(apart(EYES.deuteranopia(red), EYES.deuteranopia(green))).toBeLessThan(apart(red, green) / 2);
  expect(apart(EYES.tritanopia(red), EYES.tritanopia(green))).toBeGreaterThan(apart(red, green) / 2);
  expect(luminance(over(color("#ffffff"), color("#000000"), 0.5))).toBeCloseTo(luminance(color("#808080")), 2);
});

describe.each(LOOKS)("$palette, $theme", (look) => {
  const of = painted(look);
  const GROUNDS = ["bg", "surface", "surface-2", "win-bg", "loss-bg", "why-bg", "amber-bg", "note-bg"];

  test("every text color is readable on every background it can be on", () => {
    expect(tooClose(cross(["ink", "ink-2", "ink-3", "win", "loss", "why"], GROUNDS, of), TEXT)).toEqual([]);
    expect(tooClose(cross(["amber-ink"], ["amber"], of), TEXT)).toEqual([]);
    expect(tooClose(cross(["card-ink", "card-ink-2", "card-no"], ["card"], of), TEXT)).toEqual([]);
  });

  test("every style rule with a text color and a background is readable", () => {
    const tokens = tokensOf(sheet, look);
    const pairs = sources.flatMap(({ path, source }) => pairsIn(source).map((pair) => ({ path, ...pair })));
    expect(pairs.length).toBeGreaterThan(30);
    const found = pairs.flatMap(({ path, selector, text, behind }) =>
      colorsIn(text, tokens).flatMap((one) =>
        colorsIn(behind, tokens).flatMap((other) =>
          contrast(one, other) < TEXT ? [`${path} ${selector}: ${contrast(one, other).toFixed(2)}`] : [],
        ),
      ),
    );
    expect(found).toEqual([]);
  });

  test("edges of controls and the focus ring are visible on every background", () => {
    expect(tooClose(cross(["edge", "why", "win", "loss", "ink"], GROUNDS, of), EDGE)).toEqual([]);
    expect(tooClose(cross(["card-edge"], ["card"], of), EDGE)).toEqual([]);
  });

  test("words, odds and edges of areas are visible on every kind of felt", () => {
    const felts = ["felt", "felt-lit", "felt-deep", "felt-edge", "felt-seven"];
    expect(tooClose(cross(["felt-ink", "felt-gold"], felts, of), TEXT)).toEqual([]);
    expect(tooClose(cross(["felt-line", "felt-gold"], felts, of), EDGE)).toEqual([]);
    const thin = Number(/\.shape\.thin \{[^}]*stroke-opacity: ([\d.]+)/.exec(read("../felt/shapes.css"))?.[1]);
    const hatched = /stroke="var\(--felt-line\)"[^>]* opacity="([\d.]+)"/.exec(read("../felt/FeltDefs.svelte"));
    const hatch = Number(hatched?.[1]);
    for (const felt of felts) {
      expect(contrast(over(of("felt-line"), of(felt), thin), of(felt)), `thin edge on ${felt}`).toBeGreaterThanOrEqual(
        EDGE,
      );
      // The hatching under the words of a closed area, which are large.
      expect(
        contrast(of("felt-ink"), over(of("felt-line"), of(felt), hatch)),
        `words on a hatch on ${felt}`,
      ).toBeGreaterThanOrEqual(EDGE);
    }
    expect(
      tooClose(
        [
          ["rail words", of("rail-ink"), "wood", of("wood-2")],
          ["amounts", of("pill-ink"), "pill", of("pill")],
        ],
        TEXT,
      ),
    ).toEqual([]);
    expect(tooClose(cross(["jet"], ["ivory", "felt-gold", "felt-ink"], of), TEXT)).toEqual([]);
    expect(
      tooClose(
        [
          ["pips", of("die-pip"), "die", of("die")],
          ["pips", of("jet"), "printed die", of("felt-ink")],
          ["wall", of("brass"), "wood", of("wood-2")],
        ],
        EDGE,
      ),
    ).toEqual([]);
  });

  test("a chip's value is readable, and its rim separates it from the felt", () => {
    for (const value of rack(100)) {
      const { color: name, dark, label } = chipFace(value);
      expect(contrast(of(name.slice(2)), of(dark ? "jet" : "ivory")), `$${label}`).toBeGreaterThanOrEqual(TEXT);
      if (!dark) expect(contrast(of(name.slice(2)), of("chip-rim")), `spots of $${label}`).toBeGreaterThanOrEqual(EDGE);
    }
    expect(tooClose(cross(["chip-rim"], ["felt", "felt-lit", "felt-deep", "felt-seven"], of), EDGE)).toEqual([]);
  });
});

/** Which kinds of color vision each palette serves by color alone. Signs and patterns work for all of them. */
const MEANT: Record<string, (keyof typeof EYES)[]> = {
  usual: ["usual", "tritanopia"],
  "blue-orange": ["usual", "protanopia", "deuteranopia"],
  grey: [],
};
const AT_A_GLANCE = 18;

describe.each(LOOKS)("apart: $palette, $theme", (look) => {
  const of = painted(look);
  const chips = rack(100).map((value) => chipFace(value).color.slice(2));
  const pairs = (names: string[]) =>
    names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const));
  const close = (names: string[], eye: keyof typeof EYES, least: number) =>
    pairs(names).flatMap(([one, other]) => {
      const far = apart(EYES[eye](of(one)), EYES[eye](of(other)));
      return far < least ? [`${one} and ${other}, ${eye}: ${far.toFixed(0)}`] : [];
    });

  test("chips, wins, losses and amber are different colors to the people a palette is for", () => {
    expect(MEANT[look.palette]).toBeDefined();
    for (const eye of MEANT[look.palette] ?? []) {
      expect(close(chips, eye, AT_A_GLANCE)).toEqual([]);
      expect(close(["win", "loss", "amber"], eye, AT_A_GLANCE)).toEqual([]);
    }
  });

  test("in grays the lightness of chips changes in even steps", () => {
    if (look.palette === "grey")
      for (const eye of Object.keys(EYES) as (keyof typeof EYES)[]) expect(close(chips, eye, 10)).toEqual([]);
  });
});

describe("nothing depends on color alone", () => {
  const count = (html: string, what: RegExp) => [...html.matchAll(what)].length;

  test("each chip has its own number of edge spots, more for higher values, and its value printed", () => {
    const drawn = rack(100).map((value) => render(Chip, { props: { value } }).body);
    const spots = drawn.map((html) => count(html, /class="spot\b/g));
    expect(spots).toEqual([0, 2, 3, 4, 6]);
    expect(drawn.map((html) => /<text[^>]*>([^<]*)</.exec(html)?.[1])).toEqual(["1", "5", "25", "100", "500"]);
  });

  test("amounts have a sign", () => {
    expect([signed(1400), signed(-1000), signed(0), bare(1400), bare(-1000), bare(0)]).toEqual([
      "+$14",
      "−$10",
      "$0",
      "+14",
      "−10",
      "0",
    ]);
  });

  test("in the grid of 36 rolls wins have a solid edge, losses are hatched and dashed, and both have a sign", () => {
    const cells = [1, 2, 3, 4, 5, 6].flatMap((first) =>
      [1, 2, 3, 4, 5, 6].map((second) => ({
        dice: [first, second],
        net: first + second === 7 ? -500 : first === second ? 700 : 0,
      })),
    );
    const html = render(Grid36, { props: { cells } }).body;
    expect(count(html, /<td class="[^"]*\bdown\b[^"]*"[^>]*>−5</g)).toBe(6);
    expect(count(html, /<td class="[^"]*\bup\b[^"]*"[^>]*>\+7</g)).toBe(6);
    const style = read("../ui/Grid36.svelte");
    expect(style).toMatch(/\.down \{[^}]*dashed[^}]*repeating-linear-gradient/);
    expect(style).not.toMatch(/\.up \{[^}]*(dashed|gradient)/);
  });

  test("each kind of result has its own mark", () => {
    const marks = (["won", "lost", "returned", "credited", "moved"] as const).map((outcome) =>
      signOf({ outcome, stake: 500 }),
    );
    expect(new Set(marks).size).toBe(5);
    expect(marks.slice(0, 2)).toEqual(["✓", "×"]);
    for (const path of ["../screens/felt/Results.svelte", "../screens/study/Decided.svelte"])
      expect(read(path), path).toMatch(/class="sign \{result\.outcome\}"[^>]*>\{signOf\(result\)\}/);
  });

  test("a closed area is hatched, a pointed-at area has a wider edge, and a bet that can come down has a dot", () => {
    const areas = read("../felt/FeltAreas.svelte");
    const wide = (sheet: string, of: RegExp) => Number(of.exec(sheet)?.[1]);
    expect(areas).toMatch(/kind === "closed"[^\n]*url\(#\{uid\}-hatch\)/);
    expect(wide(areas, /\.area\.shown \.shape[^}]*stroke-width: ([\d.]+)/)).toBeGreaterThan(
      wide(read("../felt/shapes.css"), /\.shape\.line \{[^}]*stroke-width: ([\d.]+)/),
    );
    expect(read("../felt/FeltStacks.svelte")).toMatch(/removable\(stack\.bet\)\}\s*<circle\s+class="dot"/);
  });
});

describe("system colors", () => {
  const forced = /@media \(forced-colors: active\) \{\s*:root:root:root \{([^}]*)\}/.exec(sheet)?.[1] ?? "";
  const given = new Map([...forced.matchAll(/(--[\w-]+): (\w+);/g)].map(([, name, value]) => [name!, value!]));

  test("replace every color of the page around the felt", () => {
    // Colors that change with the theme belong to the page. The felt's colors are the same in both themes.
    const [day, night] = [
      tokensOf(sheet, { theme: "light", palette: "usual" }),
      tokensOf(sheet, { theme: "dark", palette: "usual" }),
    ];
    const page = [...day]
      .filter(([name, value]) => value.startsWith("#") && (night.get(name) !== value || /^--(amber|card)/.test(name)))
      .map(([name]) => name);
    expect(page.length).toBeGreaterThan(15);
    expect(page.filter((name) => !given.has(name))).toEqual([]);
    expect(
      [...given.values()].filter(
        (value) => !["Canvas", "CanvasText", "LinkText", "Highlight", "HighlightText", "GrayText"].includes(value),
      ),
    ).toEqual([]);
    expect([given.get("--amber"), given.get("--amber-ink")]).toEqual(["Highlight", "HighlightText"]);
  });

  test("cover everything, because the page uses only tokens as colors", () => {
    const own = sources.flatMap(({ path, source }) =>
      pairsIn(source)
        .filter(({ text, behind }) => /#[0-9a-f]{3}|rgb\(/i.test(text + behind))
        .map(({ selector }) => `${path} ${selector}`),
    );
    expect(own).toEqual([]);
  });
});
