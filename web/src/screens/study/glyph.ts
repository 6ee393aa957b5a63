/**
 * The mark `?` after a bet. It means only that the edge is above the user's threshold. The exact edge per bet resolved comes from the server. A
 * bet without an edge isn't marked.
 */
import { compare, percent } from "../../lib/fraction";

/** The thresholds to choose from; an empty text means never. */
export const THRESHOLDS = ["1/50", "1/20", "1/10", ""] as const;

/** `edge 1/18 = 5.556 % per bet resolved` if the edge is above the threshold, otherwise null. */
export function glyphOf(edge: string | null | undefined, above: string): string | null {
  if (!edge || above === "") return null;
  try {
    return compare(edge, above) > 0 ? `edge ${edge} = ${percent(edge)} per bet resolved` : null;
  } catch {
    // The stored threshold isn't a fraction, so nothing is marked.
    return null;
  }
}
