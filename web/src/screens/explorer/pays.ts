/** What a record pays, in the words of its book. The words stand among the book's facts; they are looked up, never made. */
import type { FactView, Record as Odds } from "../../api/openapi";
import { compare, fraction } from "../../lib/fraction";

/** The fact that states the prices of this pay table, of the day if several days differ. */
export function priceFact(record: Odds, facts: FactView[]): FactView | null {
  const aspect = record.pay_table === "standard" ? "pays" : `pays, table ${record.pay_table}`;
  const found = facts.filter((fact) => fact.aspect === aspect);
  return found.find((fact) => record.from && fact.days.includes(record.from)) ?? found[0] ?? null;
}

/** `4: 2 to 1; 5: 3 to 2` is a price for each number; odds on one of them have that one. */
export function payout(record: Odds, number: string | null, facts: FactView[]): string | null {
  const fact = priceFact(record, facts);
  if (!fact) return null;
  if (number === null) return fact.value;
  const own = fact.value.split("; ").find((part) => part.startsWith(`${number}: `));
  return own?.slice(number.length + 2) ?? fact.value;
}

interface Prize {
  text: string;
  /** What it nets for one unit. */
  net: string;
}

function prizes(text: string): Prize[] {
  return [...text.matchAll(/(\d+) (to|for) (\d+)/g)].map(([all, won, word, unit]) => ({
    text: all,
    net: word === "for" ? `${BigInt(won!) - BigInt(unit!)}/${unit}` : `${won}/${unit}`,
  }));
}

/** A payout short enough for a cell: of several prizes the highest. */
export function inShort(text: string): string {
  const all = prizes(text);
  const [first] = all;
  if (!first || all.every((prize) => prize.text === first.text)) return first ? first.text : text;
  const top = all.reduce((best, prize) => (compare(prize.net, best.net) > 0 ? prize : best));
  return `≤ ${top.text}`;
}

/** What a win nets, where the books' facts do not say it in words: the server's own figures. */
export function netsInShort(record: Odds): string {
  const nets = record.distribution
    .map((outcome) => outcome.net)
    .filter((net) => fraction(net.replace("+", "")).top > 0n);
  const top = nets.at(-1);
  if (top === undefined) return "";
  return nets.length === 1 ? `wins ${top}` : `wins ≤ ${top}`;
}

/** `up-front of stake at 5%` as people say it. */
export function commissionInWords(commission: string): string {
  const found = /^(up-front|on-win) of (stake|win) at (.+)$/.exec(commission);
  if (!found) return commission === "none" ? "" : commission;
  return `${found[3]} of the ${found[2]}, ${found[1] === "on-win" ? "on a win" : "up front"}`;
}

/** When a commission is taken: rows are told apart by it. */
export function timing(commission: string): string {
  if (commission === "none") return "";
  return commission.startsWith("on-win") ? "on a win" : commission.startsWith("up-front") ? "up front" : commission;
}

/** How much of a commission: `5%`. */
export function rate(commission: string): string {
  return / at (\S+)$/.exec(commission)?.[1] ?? "";
}
