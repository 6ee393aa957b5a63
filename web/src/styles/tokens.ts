/** Reads the tokens from the text of the style sheets and resolves them like a browser; for tests. */
import { color, over, type Light } from "./color";

export interface Look {
  theme: "light" | "dark";
  palette: string;
}

/** The tokens that `:root` sets for a look. More specific selectors win. */
export function tokensOf(css: string, { theme, palette }: Look): Map<string, string> {
  const plain = css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/@(media|font-face)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
  const found = [...plain.matchAll(/:root((?:\[[^\]]*\])*)\s*\{([^}]*)\}/g)]
    .map(([, asks, body], at) => ({
      asks: [...asks!.matchAll(/\[data-(\w+)="([^"]*)"\]/g)].map(([, name, value]) => [name!, value!] as const),
      body: body!,
      at,
    }))
    .filter(({ asks }) => asks.every(([name, value]) => ({ theme, palette })[name as "theme" | "palette"] === value))
    .sort((one, other) => one.asks.length - other.asks.length || one.at - other.at);
  return new Map(
    found.flatMap(({ body }) =>
      [...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!.trim()] as const),
    ),
  );
}

/** Every palette in the style sheet, the default one first. */
export function palettesOf(css: string): string[] {
  return ["usual", ...new Set([...css.matchAll(/\[data-palette="([^"]+)"\]/g)].map(([, name]) => name!))];
}

/** All colors in a CSS value, including those of mixes and gradients. Empty if there are none. */
export function colorsIn(value: string, tokens: Map<string, string>): Light[] {
  const flat = resolved(value, tokens);
  const mixed: Light[] = [];
  const rest = flat.replace(
    /color-mix\(in srgb, (#[0-9a-f]{6}) (\d+)%, (#[0-9a-f]{6})\)/gi,
    (_, one: string, share: string, other: string) => {
      mixed.push(over(color(one), color(other), Number(share) / 100));
      return "";
    },
  );
  return [...mixed, ...[...rest.matchAll(/#[0-9a-f]{6}\b/gi)].map(([hex]) => color(hex))];
}

function resolved(value: string, tokens: Map<string, string>): string {
  const next = value.replace(/var\((--[\w-]+)\)/g, (_, name: string) => tokens.get(name) ?? "unknown");
  return next === value ? value : resolved(next, tokens);
}

/** The rules of a style sheet or component that set both a text color and a background. */
export function pairsIn(source: string): { selector: string; text: string; behind: string }[] {
  const sheet = /<style>([\s\S]*)<\/style>/.exec(source)?.[1] ?? (source.includes("<script") ? "" : source);
  return [...sheet.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selector, body]) => {
    const said = new Map(
      [...body!.matchAll(/(?:^|;)\s*([\w-]+):\s*([^;]+)/g)].map(([, name, value]) => [name!, value!.trim()]),
    );
    const [text, behind] = [said.get("color"), said.get("background") ?? said.get("background-color")];
    return text && behind ? [{ selector: selector!.trim(), text, behind }] : [];
  });
}
