import { expect, test } from "vitest";
import { documents } from "./lines";

async function* cut(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

test("documents are read whole no matter where they are cut, even inside a multi-byte character", async () => {
  const text = '{"a":1}\n{"b":"zwölf €"}\n\n{"c":3}';
  for (const size of [1, 2, 3, 7, 1000]) {
    const found: unknown[] = [];
    for await (const one of documents(cut(text, size))) found.push(one);
    expect(found).toEqual([{ a: 1 }, { b: "zwölf €" }, { c: 3 }]);
  }
});

test("a document that is cut off is an error", async () => {
  const all = async () => {
    for await (const one of documents(cut('{"a":1}\n{"b":', 5))) void one;
  };
  await expect(all()).rejects.toThrow();
});
