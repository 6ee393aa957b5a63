/** Going to a bet by typing its code, or the beginning of its letters with its number: `pl6` or `p6`. The codes are the layout's. */

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

/** The codes that what was typed may still become. */
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

/** The bet that was meant: the code as typed, else the first that it stands for in the order of the layout. */
export function meant(typed: string, codes: Iterable<string>): string | null {
  const found = candidates(typed, codes);
  return found.find((code) => code === plain(typed)) ?? found[0] ?? null;
}

/** Can it become just one bet, so that nothing more need be typed? */
export function isSole(typed: string, codes: Iterable<string>): boolean {
  return candidates(typed, codes).length === 1;
}
