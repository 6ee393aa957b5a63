/**
 * The glyph `?` behind a bet: its edge is above what the reader has set, and nothing else. The edge is the server's, exact, per bet resolved; a bet
 * that has none told is not marked.
 */
import { compare, percent } from "../../lib/fraction";

/** What a reader may choose; no text is never. */
export const THRESHOLDS = ["1/50", "1/20", "1/10", ""] as const;

/** The bet that an act puts chips on: `1:PL5+10` is `PL5`; other acts have none. */
export function betPut(code: string): string | null {
  return /^\d+:([A-Za-z0-9-]+?)\+\d/.exec(code)?.[1] ?? null;
}

/** `edge 1/18 = 5.556 % per bet resolved` where that is above the threshold. */
export function glyphOf(edge: string | null | undefined, above: string): string | null {
  if (!edge || above === "") return null;
  try {
    return compare(edge, above) > 0 ? `edge ${edge} = ${percent(edge)} per bet resolved` : null;
  } catch {
    // Whatever was kept as a threshold is no fraction: then nothing is marked.
    return null;
  }
}
