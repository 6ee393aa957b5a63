/** The allowed amounts of a bet, as text. The amounts come from the server. */
import type { LegalView } from "../../api/openapi";
import { money } from "../../lib/money";

/** `$5 to $500, in $5s`; `$12 or more, in $6s`. */
export function amounts({ min, max, step }: Pick<LegalView, "min" | "max" | "step">): string {
  const range = max == null ? `${money(min ?? 0)} or more` : `${money(min ?? 0)} to ${money(max)}`;
  return step != null && step > 100 ? `${range}, in ${money(step)}s` : range;
}
