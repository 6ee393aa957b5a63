// Computes rolls from a secret and the seeds of players. It runs in the browser and asks the server nothing.
//
// The commitment to a secret is its SHA-256. For a roll, the HMAC-SHA-256 key is the secret, and the message is a few lines: the table, the hand, the
// roll, the seeds of the players and the block number. Each four bytes of the result are a big-endian number. Numbers at or above the largest
// multiple of 36 are skipped, so that no roll is favored. In old hands, which have no chain, the message is `boxperson-throw`, the hash of the row
// that closed betting, and the block number.

const PURPOSE = "boxperson-throw";
const WAYS = 36;
const FAIR = Math.floor(2 ** 32 / WAYS) * WAYS;

/** Decodes lowercase hex. Returns null if the text is not hex. */
export function bytes(hex) {
  if (typeof hex !== "string" || !/^([0-9a-f]{2})+$/.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the commitment to a secret. Both are hex. */
export async function commitment(secret) {
  return hex(await crypto.subtle.digest("SHA-256", bytes(secret)));
}

/** Returns the two dice of a roll of an old hand, given the secret and the hash of the row that closed betting. */
export async function dice(secret, closed) {
  const text = new TextEncoder().encode(PURPOSE + closed);
  return drawn(secret, (block) => {
    const message = new Uint8Array(text.length + 4);
    message.set(text);
    new DataView(message.buffer).setUint32(text.length, block);
    return message;
  });
}

/**
 * Returns the two dice of a roll, given the secret, the table, the hand, the number of the roll, the seeds in the order of the seats and the answer of
 * the witness, if the table has one.
 */
export async function cast(secret, table, hand, number, seeds, witness = null) {
  const lines = ["boxperson-dice-2", `table ${table}`, `hand ${hand}`, `throw ${number}`];
  for (const { seat, seed } of seeds) lines.push(`seed ${seat} ${seed}`);
  if (witness !== null) lines.push(`witness ${witness}`);
  return drawn(secret, (block) => new TextEncoder().encode(`${lines.join("\n")}\nblock ${block}\n`));
}

async function drawn(secret, message) {
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let block = 0; ; block += 1) {
    const words = new DataView(await crypto.subtle.sign("HMAC", key, message(block)));
    for (let at = 0; at < words.byteLength; at += 4) {
      const way = words.getUint32(at);
      if (way < FAIR) return [Math.floor((way % WAYS) / 6) + 1, (way % 6) + 1];
    }
  }
}

/**
 * Is this the signature of the witness for a roll and the row that closed its bets? Null if this browser can't tell. `witness` has the key of the witness
 * and the id of the store.
 */
export async function answered(witness, table, hand, number, closed, answer) {
  const lines = ["boxperson-witness-dice", `store ${witness.store}`, `table ${table}`, `hand ${hand}`, `throw ${number}`, `row ${closed}`];
  const [key, signature] = [bytes(witness.key), bytes(answer)];
  if (key?.length !== 32 || signature?.length !== 64) return false;
  let known;
  try {
    known = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    return null;
  }
  return crypto.subtle.verify("Ed25519", known, signature, new TextEncoder().encode(`${lines.join("\n")}\n`));
}

/**
 * Verifies a hand from `/tables/T/hands`. `kept` is true if the secret matches the commitment. `follows` of each roll is true if the dice match the
 * secret. Both are null while the secret is not revealed. `before` is the hand before it, if it is known: in a chain, its secret must be this hand's
 * commitment, so that nobody could choose the secret later. `witness` is the witness of the table, if it has one: then `witnessed` of each roll says
 * whether it signed the row that closed the bets, and a roll without that doesn't follow.
 */
export async function verified(hand, before = null, witness = null) {
  const secret = hand.secret ?? null;
  if (secret !== null && bytes(secret)?.length !== 32) throw new Error(`hand ${hand.hand}: the secret is not 64 hex digits`);
  if (!Array.isArray(hand.throws)) throw new Error(`hand ${hand.hand}: the list of rolls is missing`);
  const { chain = null, retired = null } = hand;
  const opens = secret === null ? null : (await commitment(secret)) === hand.commitment;
  const linked = !chain || chain.place === 1 || !before?.chain || (before.chain.nonce === chain.nonce && before.secret === hand.commitment);
  const kept = linked ? opens : false;
  const throws = [];
  for (const { throw: number, closed, seeds = [], witness: answer = null, dice: found } of hand.throws) {
    const computed = () => (chain ? cast(secret, hand.table, hand.hand, number, seeds, answer) : dice(secret, closed));
    const expected = secret === null ? null : await computed();
    const witnessed = witness && found ? await answered(witness, hand.table, hand.hand, number, closed, answer) : null;
    const same = expected && found ? expected[0] === found[0] && expected[1] === found[1] : null;
    const follows = witnessed === false ? false : same;
    throws.push({ number, closed, seeds: chain ? seeds : null, witnessed, found: found ?? null, expected, follows });
  }
  return { hand: hand.hand, commitment: hand.commitment, chain, retired, secret, kept, throws };
}
