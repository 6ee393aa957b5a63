import { expect, test } from "vitest";
import { Refused } from "../../api/client";
import type { LiveTable } from "../../live/table.svelte";
import { freshSeed, Player } from "./player.svelte";

/** A fake table that refuses everything and records what was sent. */
function refusing(instead: object[]): { sent: unknown[]; player: Player } {
  const sent: unknown[] = [];
  const refusal = { ground: "law", code: "not-payable", cite: "PA 1", instead };
  const problem = { code: "refused", message: "No.", cite: "PA 1", refusal } as unknown as Refused["problem"];
  const send = (command: unknown) => {
    sent.push(command);
    return Promise.reject(new Refused(422, problem));
  };
  const live = { ready: true, own: null, legal: new Map(), send } as unknown as LiveTable;
  return { sent, player: new Player(live) };
}

test("each offer is a button, except waiting", async () => {
  const { sent, player } = refusing([
    { text: "Bet $18", bet: "PL6", amount: 1800, op: "bet", say: "PL6 18" },
    { text: "Take it down", bet: "PL6", amount: 1200, op: "down", say: "PL6 down" },
    { text: "Wait for a point", op: "wait" },
  ]);
  await player.add("PL6", 500);
  expect(player.notice?.text).toBe("No.");
  expect(player.notice?.instead.map(({ text }) => text)).toEqual(["Bet $18", "Take it down"]);
  player.notice?.instead.forEach(({ act }) => act());
  expect(sent.slice(1)).toEqual([
    { do: "actions", bets: [{ bet: "PL6", amount: 1800 }] },
    { do: "actions", bets: [{ bet: "PL6", op: "down", amount: 1200 }] },
  ]);
});

test("a closed bet shows the house rule behind it and what the table would accept", () => {
  const { sent, player } = refusing([]);
  const instead = [{ text: "Bet $10 on Pass", bet: "P", amount: 1000, op: "bet" }];
  const refusal = { ground: "house", code: "needs-line-bet", key: "offer.line", instead };
  const closed = { bet: "PO", name: "Odds", open: false, reason: "Bet the line first.", cite: "", refusal };
  (player as unknown as { live: LiveTable }).live.legal = new Map([["PO", closed]]) as unknown as LiveTable["legal"];
  player.refuse("PO");
  expect(player.notice).toMatchObject({ kind: "refused", text: "Bet the line first.", cite: null, key: "offer.line" });
  player.notice?.instead.forEach(({ act }) => act());
  expect(sent).toEqual([{ do: "actions", bets: [{ bet: "P", amount: 1000 }] }]);
});

test("every roll brings a new seed, and a seed can be set", async () => {
  const { sent, player } = refusing([]);
  await player.roll();
  await player.roll();
  await player.seed("lucky");
  const [one, other, set] = sent as { do: string; seed: string }[];
  expect([one?.do, other?.do, set]).toEqual(["roll", "roll", { do: "seed", seed: "lucky" }]);
  expect(one?.seed).toMatch(/^[0-9a-f]{32}$/);
  expect(one?.seed).not.toBe(other?.seed);
  expect(freshSeed()).not.toBe(freshSeed());
});

test("a request is taken back by its number", async () => {
  const { sent, player } = refusing([]);
  await player.takeBack(3);
  expect(sent).toEqual([{ do: "reply", request: 3, agrees: false }]);
});
