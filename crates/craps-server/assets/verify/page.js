import { verified } from "./dice.js";

const AT_ONCE = 50;
const find = (id) => document.getElementById(id);
const [table, more, pasted, answer, said] = ["table", "more", "pasted", "answer", "said"].map(find);
let last = 0;

function make(name, words, kind) {
  const element = document.createElement(name);
  if (words !== undefined) element.textContent = words;
  if (kind) element.className = kind;
  return element;
}

const FACES = "⚀⚁⚂⚃⚄⚅";

function diceShown(dice) {
  const shown = make("span", undefined, "dice");
  if (!dice) return shown;
  shown.append(make("span", dice.map((die) => FACES[die - 1] ?? "?").join(""), "faces"), ` ${dice.join("-")}`);
  return shown;
}

function verdict(is, yes, no, open) {
  if (is === null) return make("span", open, "mark open");
  return make("span", is ? `✓ ${yes}` : `✗ ${no}`, is ? "mark yes" : "mark no");
}

function handShown(hand) {
  const box = make("section", undefined, "panel");
  const head = make("header");
  head.append(make("h2", `Hand ${hand.hand}`), verdict(hand.kept, "secret matches the commitment", "secret doesn't match the commitment", "secret not revealed yet"));
  const facts = make("dl");
  const open = hand.retired ? "retired and lost: the rolls before that can't be verified" : "revealed after the seven-out";
  const all = [["Commitment before the hand", hand.commitment], ["Secret after the hand", hand.secret ?? open]];
  if (hand.chain) all.push(["Place in the chain of secrets", `${hand.chain.place} of ${hand.chain.of}`]);
  if (hand.retired) all.push(["Retired during the hand", hand.retired]);
  for (const [name, text] of all) {
    facts.append(make("dt", name), make("dd", text, "hash"));
  }
  box.append(head, facts);
  if (hand.throws.length === 0) {
    box.append(make("p", "No rolls yet.", "muted"));
    return box;
  }
  const rows = make("table");
  const top = make("tr");
  for (const name of ["Roll", "Dice in the log", "Dice computed here", "", hand.chain ? "Seeds of the players" : "Row that closed betting"]) top.append(make("th", name));
  rows.append(top);
  for (const { number, closed, seeds, witnessed, found, expected, follows } of hand.throws) {
    const row = make("tr");
    const shown = seeds ? seeds.map(({ seat, seed }) => `${seat}: ${seed}`).join(", ") || "none" : closed;
    const hash = make("td", shown.length > 40 ? `${shown.slice(0, 40)}…` : shown, "hash");
    hash.title = shown;
    const [log, derived, mark] = [make("td"), make("td"), make("td")];
    log.append(diceShown(found));
    derived.append(diceShown(expected));
    mark.append(verdict(follows, "matches", witnessed === false ? "not signed by the witness" : "doesn't match", found ? "not known yet" : "not rolled yet"));
    row.append(make("td", number), log, derived, mark, hash);
    rows.append(row);
  }
  const scroll = make("div", undefined, "scroll");
  scroll.append(rows);
  box.append(scroll);
  return box;
}

/** Shows hands, the latest first, and a summary. */
async function show(hands, fresh, witness = null) {
  const all = [];
  for (const [at, hand] of hands.entries()) all.push(await verified(hand, hands[at - 1], witness));
  if (fresh) answer.replaceChildren();
  for (const hand of all) answer.prepend(handShown(hand));
  const wrong = answer.querySelectorAll(".no").length;
  const right = answer.querySelectorAll("td .yes").length;
  const tail = wrong ? `${wrong} mismatch${wrong === 1 ? "" : "es"}.` : "no mismatches.";
  const blind = witness && all.some(({ throws }) => throws.some(({ found, witnessed }) => found && witnessed === null));
  const also = blind ? " This browser can't check the signatures of the witness." : "";
  say(`${right} roll${right === 1 ? "" : "s"} verified in this page: ${tail}${also}`, wrong > 0);
}

function say(words, wrong) {
  said.textContent = words;
  said.className = wrong ? "no" : "";
}

async function asked(path) {
  const reply = await fetch(path);
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.message ?? `${path}: ${reply.status}`);
  return body;
}

async function read(fresh) {
  if (fresh) last = 0;
  const { hands, more: goesOn, witness } = await asked(`/tables/${encodeURIComponent(table.value)}/hands?after=${last}&limit=${AT_ONCE}`);
  last = hands.at(-1)?.hand ?? last;
  more.hidden = !goesOn;
  await show(hands, fresh, witness);
}

/** Wraps a function so that its errors are shown on the page. */
function tried(what) {
  return async (event) => {
    event?.preventDefault();
    try {
      await what();
    } catch (error) {
      say(error.message, true);
    }
  };
}

find("pick").addEventListener("submit", tried(() => read(true)));
more.addEventListener("click", tried(() => read(false)));
find("paste").addEventListener(
  "submit",
  tried(async () => {
    const read = JSON.parse(pasted.value);
    const hands = Array.isArray(read) ? read : (read.hands ?? [read]);
    more.hidden = true;
    await show(hands, true, read.witness);
  }),
);

tried(async () => {
  if (!globalThis.crypto?.subtle) throw new Error("Your browser can only compute hashes on pages over https or from this machine.");
  const { tables } = await asked("/tables");
  for (const { table: id, name, dice } of tables) {
    if (dice !== "secret") continue;
    const option = make("option", `${name} (${id})`);
    option.value = id;
    table.append(option);
  }
  const wanted = new URLSearchParams(location.search).get("table");
  if (wanted) table.value = wanted;
  if (table.value) await read(true);
})();
