/** The allowed amounts of a bet, as text. The amounts come from the server. */
import type { LegalView } from "../../api/openapi";
import { money } from "../../lib/money";

type Terms = Pick<LegalView, "min" | "max" | "step" | "standing">;

const stepOf = ({ step }: Terms) => Math.max(step ?? 1, 1);

/** The lowest allowed amount of the whole bet, a whole number of steps. */
function lowest(terms: Terms): number {
  const step = stepOf(terms);
  return Math.max(Math.ceil((terms.min ?? step) / step), 1) * step;
}

/** The smallest amount that can be added now. */
export function leastToAdd(terms: Terms): number {
  return Math.max(stepOf(terms), lowest(terms) - (terms.standing ?? 0));
}

/** `$5 to $500, in $5s`; `$12 or more, in $6s`. */
export function amounts(terms: Terms): string {
  const step = stepOf(terms);
  const range =
    terms.max == null ? `${money(lowest(terms))} or more` : `${money(lowest(terms))} to ${money(terms.max)}`;
  return step > 100 ? `${range}, in ${money(step)}s` : range;
}
