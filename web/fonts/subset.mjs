// Reduces the page's fonts to the characters that it can show, to keep them small.
// Run `npm run fonts` after one of the font packages has changed.
import { readFile, writeFile } from "node:fs/promises";
import subset from "subset-font";

const latin = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");
const text = `${latin}’‘“”–—−·×÷→←↑↓≥≤±½¼¾…•é§°✓`;
const felt = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ’‘“”'&·.,:;/×+-–!?()×½";

const faces = [
  [
    "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
    "inter.woff2",
    text,
    { wght: { min: 400, max: 700 } },
  ],
  ["@fontsource/roboto-condensed/files/roboto-condensed-latin-500-normal.woff2", "roboto-condensed-500.woff2", felt],
  ["@fontsource/roboto-condensed/files/roboto-condensed-latin-700-normal.woff2", "roboto-condensed-700.woff2", felt],
  ["@fontsource/roboto-slab/files/roboto-slab-latin-700-normal.woff2", "roboto-slab-700.woff2", felt],
];

for (const [from, to, kept, axes] of faces) {
  const whole = await readFile(new URL(`../node_modules/${from}`, import.meta.url));
  const part = await subset(whole, kept, { targetFormat: "woff2", variationAxes: axes });
  await writeFile(new URL(`../src/fonts/${to}`, import.meta.url), part);
  console.log(`${to}: ${part.length} bytes of ${whole.length}`);
}
