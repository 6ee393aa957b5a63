/** The tokens as a browser would resolve them, read from the style sheets' own text; for tests. */
import { color, over, type Light } from "./color";

export interface Look {
  theme: "light" | "dark";
  palette: string;
}

/** What `:root` says for a look: the more a selector asks for, the later it counts. */
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

/** Every palette that the sheet knows, the usual one first. */
export function palettesOf(css: string): string[] {
  return ["usual", ...new Set([...css.matchAll(/\[data-palette="([^"]+)"\]/g)].map(([, name]) => name!))];
}

/** The colors that a value of CSS names, flat; mixes and gradients give each of theirs. Nothing where it names none. */
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

/** The rules of a sheet, or of a component's own, that give both a text and what is behind it. */
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
