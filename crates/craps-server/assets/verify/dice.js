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

/** Returns the two dice of a roll, given the secret, the table, the hand, the number of the roll and the seeds in the order of the seats. */
export async function cast(secret, table, hand, number, seeds) {
  const lines = ["boxperson-dice-2", `table ${table}`, `hand ${hand}`, `throw ${number}`];
  for (const { seat, seed } of seeds) lines.push(`seed ${seat} ${seed}`);
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
 * Verifies a hand from `/tables/T/hands`. `kept` is true if the secret matches the commitment. `follows` of each roll is true if the dice match the
 * secret. Both are null while the secret is not revealed. `before` is the hand before it, if it is known: in a chain, its secret must be this hand's
 * commitment, so that nobody could choose the secret later.
 */
export async function verified(hand, before = null) {
  const secret = hand.secret ?? null;
  if (secret !== null && bytes(secret)?.length !== 32) throw new Error(`hand ${hand.hand}: the secret is not 64 hex digits`);
  if (!Array.isArray(hand.throws)) throw new Error(`hand ${hand.hand}: the list of rolls is missing`);
  const { chain = null, retired = null } = hand;
  const opens = secret === null ? null : (await commitment(secret)) === hand.commitment;
  const linked = !chain || chain.place === 1 || !before?.chain || (before.chain.nonce === chain.nonce && before.secret === hand.commitment);
  const kept = linked ? opens : false;
  const throws = [];
  for (const { throw: number, closed, seeds = [], dice: found } of hand.throws) {
    const computed = () => (chain ? cast(secret, hand.table, hand.hand, number, seeds) : dice(secret, closed));
    const expected = secret === null ? null : await computed();
    const follows = expected && found ? expected[0] === found[0] && expected[1] === found[1] : null;
    throws.push({ number, closed, seeds: chain ? seeds : null, found: found ?? null, expected, follows });
  }
  return { hand: hand.hand, commitment: hand.commitment, chain, retired, secret, kept, throws };
}
