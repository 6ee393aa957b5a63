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

/** The bet that was meant: the code as typed, else the shortest that it stands for, by the alphabet. */
export function meant(typed: string, codes: Iterable<string>): string | null {
  const found = candidates(typed, codes).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return found.find((code) => code === plain(typed)) ?? found[0] ?? null;
}

/** Is it complete, and can it become no other bet? Then nothing more need be typed, and the next letter is not part of it. */
export function isSole(typed: string, codes: Iterable<string>): boolean {
  const [code, ...others] = candidates(typed, codes);
  if (code === undefined || others.length > 0) return false;
  const { digits } = parts(plain(typed));
  return code === plain(typed) || (digits !== "" && parts(code).digits === digits);
}
