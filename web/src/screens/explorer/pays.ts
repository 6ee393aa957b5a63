/** What a record pays, as the book writes it. The text is looked up in the book's facts, never generated. */
import type { FactView, Record as Odds } from "../../api/openapi";
import { compare, fraction } from "../../lib/fraction";

/** The fact with the odds of this pay table. If they changed over time, it picks the record's day. */
export function priceFact(record: Odds, facts: FactView[]): FactView | null {
  const aspect = record.pay_table === "standard" ? "pays" : `pays, table ${record.pay_table}`;
  const found = facts.filter((fact) => fact.aspect === aspect);
  return found.find((fact) => record.from && fact.days.includes(record.from)) ?? found[0] ?? null;
}

/** The payout of a record. `4: 2 to 1; 5: 3 to 2` lists odds for each number; a bet on one number gets its own part. */
export function payout(record: Odds, number: string | null, facts: FactView[]): string | null {
  const fact = priceFact(record, facts);
  if (!fact) return null;
  if (number === null) return fact.value;
  const own = fact.value.split("; ").find((part) => part.startsWith(`${number}: `));
  return own?.slice(number.length + 2) ?? fact.value;
}

interface Prize {
  text: string;
  /** The net win for one unit, as a fraction. */
  net: string;
}

function prizes(text: string): Prize[] {
  return [...text.matchAll(/(\d+) (to|for) (\d+)/g)].map(([all, won, word, unit]) => ({
    text: all,
    net: word === "for" ? `${BigInt(won!) - BigInt(unit!)}/${unit}` : `${won}/${unit}`,
  }));
}

/** A payout short enough for a cell: the highest of several. */
export function inShort(text: string): string {
  const all = prizes(text);
  const [first] = all;
  if (!first || all.every((prize) => prize.text === first.text)) return first ? first.text : text;
  const top = all.reduce((best, prize) => (compare(prize.net, best.net) > 0 ? prize : best));
  return `≤ ${top.text}`;
}

/** The net win from the server's figures, for records without a text in the facts. */
export function netsInShort(record: Odds): string {
  const nets = record.distribution
    .map((outcome) => outcome.net)
    .filter((net) => fraction(net.replace("+", "")).top > 0n);
  const top = nets.at(-1);
  if (top === undefined) return "";
  return nets.length === 1 ? `wins ${top}` : `wins ≤ ${top}`;
}

/** `up-front of stake at 5%` as plain text: `5% of the stake, up front`. */
export function commissionInWords(commission: string): string {
  const found = /^(up-front|on-win) of (stake|win) at (.+)$/.exec(commission);
  if (!found) return commission === "none" ? "" : commission;
  return `${found[3]} of the ${found[2]}, ${found[1] === "on-win" ? "on a win" : "up front"}`;
}

/** When a commission is taken. Different timings have separate rows. */
export function timing(commission: string): string {
  if (commission === "none") return "";
  return commission.startsWith("on-win") ? "on a win" : commission.startsWith("up-front") ? "up front" : commission;
}

/** The rate of a commission: `5%`. */
export function rate(commission: string): string {
  return / at (\S+)$/.exec(commission)?.[1] ?? "";
}
