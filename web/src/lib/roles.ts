/** The roles at a table in words. */
import { all } from "./count";

const TITLES: Record<string, string> = {
  player: "a player",
  dealer: "the dealer",
  stick: "the stickperson",
  box: "the boxperson",
  floor: "the floorperson",
  employee: "another employee",
  rng: "the machine",
  surveillance: "surveillance",
  director: "the tournament director",
  auditor: "an auditor",
};

/** The role with its article: `the dealer`. */
export function titleOf(role: string): string {
  return TITLES[role] ?? `the ${role.replaceAll(/[-_]/g, " ")}`;
}

/** Several roles: `the dealer and the boxperson`, `the dealer or the boxperson`. */
export function titlesOf(roles: string[], word: "and" | "or"): string {
  return all(roles.map(titleOf), word) || "the crew";
}

/** The text with a capital letter at its beginning. */
export function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
