/** What a row of the table's log says, in plain words, for rows that neither the dice nor the chips on the felt show. */
import type { Happened, RaisedView, RowView } from "../../api/openapi";
import { all } from "../../lib/count";
import { begun, titleOf, titlesOf } from "../../lib/roles";

/** What the page knows about the table. */
export interface Known {
  /** The name of the player at a seat. */
  player: (seat: number) => string;
  /** The words of a request; null if the page never heard them. */
  asked: (request: number) => string | null;
  /** The name of a wager by its id; null until the page has asked for the names. */
  wager: (id: string) => string | null;
  /** What the draw raised; null until the page has heard it. */
  raised: RaisedFor | null;
}

/** The prices that a draw raised, and for which roll. */
export interface RaisedFor {
  roll: number;
  prices: RaisedView[];
}

const GROUNDS: Record<string, string> = {
  delay: "for holding up the game",
  "invalid-rolls": "after too many rolls that didn't count",
  breach: "for breaking the rules of the game",
};

const ENDS: Record<string, string> = {
  done: "took effect",
  "turned-down": "was turned down",
  "taken-back": "was taken back",
  "too-late": "came too late, because the dice had stopped",
  left: "ended, because the player left",
};

/** One thing that happened. Null for what the felt shows anyway. */
export function told(happened: Happened, known: Known): string | null {
  const request = (number: number) => {
    const words = known.asked(number);
    return words ? `“${words}”` : `request ${number}`;
  };
  switch (happened.what) {
    case "ordered-off": {
      const ground = GROUNDS[happened.ground ?? ""];
      const by = begun(titleOf(happened.by));
      return `${by} ordered the shooter to give up the dice${ground ? ` ${ground}` : ""}.`;
    }
    case "marks-removed": {
      const wagers = happened.wagers.map(known.wager);
      const named = wagers.includes(null) ? "some side bets" : all(wagers.map(String));
      return `New shooter: the marks of ${named} were removed, because nobody has a bet on them.`;
    }
    case "surveillance-told":
      return "Surveillance was told how far a side bet has come.";
    case "drawn":
      return known.raised
        ? raisedWords(known.raised.prices, `roll ${known.raised.roll}`)
        : "A draw raised prices for the next roll.";
    case "requested": {
      const who = happened.seat == null ? "A player" : known.player(happened.seat);
      const words = known.asked(happened.request);
      const waits = titlesOf(happened.by, happened.all ? "and" : "or");
      return `${who} ${words ? `asked: ${words}` : `made request ${happened.request}`}. It waits for ${waits}.`;
    }
    case "confirmed":
      return `${begun(titleOf(happened.by))} confirmed ${request(happened.request)}.`;
    case "request-ended":
      return `${begun(request(happened.request))} ${ENDS[happened.how] ?? "ended"}.`;
    default:
      return null;
  }
}

/** What happened in a row, in order. */
export function happenedIn(row: RowView): Happened[] {
  return "happened" in row ? row.happened : [];
}

/** The prices that a draw raised, as a sentence: `Power Odds for this roll: Place 6 pays 5 to 1.` */
export function raisedWords(raised: RaisedView[], roll = "this roll"): string {
  const features = [...new Set(raised.map((one) => one.by))];
  return features
    .map((by) => {
      const prices = raised.filter((one) => one.by === by).map((one) => `${one.name} pays ${one.pays}`);
      return `${by} for ${roll}: ${all(prices)}.`;
    })
    .join(" ");
}
