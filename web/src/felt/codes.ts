/** Finds a bet by its typed code, or by its first letters and its number: `pl6` or `p6`. The layout supplies the codes. */

interface Parts {
  letters: string;
  digits: string;
  rest: string;
}

function parts(code: string): Parts {
  const [, letters = "", digits = "", rest = ""] = /^([A-Z]*)(\d*)(.*)$/.exec(code) ?? [];
  return { letters, digits, rest };
}

const plain = (typed: string) => typed.toUpperCase().replace(/\s+/g, "");

/** The codes that match what was typed so far. */
function candidates(typed: string, codes: Iterable<string>): string[] {
  const wanted = parts(plain(typed));
  const fits = (code: string) => {
    if (code.startsWith(plain(typed))) return true;
    const own = parts(code);
    return (
      wanted.digits !== "" &&
      own.letters.startsWith(wanted.letters) &&
      own.digits === wanted.digits &&
      own.rest === wanted.rest
    );
  };
  return [...new Set(codes)].filter(fits);
}

/** The bet for the typed text: the exact code, or else the shortest match, in alphabetical order. */
export function meant(typed: string, codes: Iterable<string>): string | null {
  const found = candidates(typed, codes).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return found.find((code) => code === plain(typed)) ?? found[0] ?? null;
}

/** True if the typed text is complete and can't become another bet, so that no more letters are needed. */
export function isSole(typed: string, codes: Iterable<string>): boolean {
  const [code, ...others] = candidates(typed, codes);
  if (code === undefined || others.length > 0) return false;
  const { digits } = parts(plain(typed));
  return code === plain(typed) || (digits !== "" && parts(code).digits === digits);
}
