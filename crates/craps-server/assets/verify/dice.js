// How a throw follows from a secret and from the log, recomputed by whoever reads this: nothing here is asked of the server.
//
// The commitment to a secret is its SHA-256. The bytes of a throw are HMAC-SHA-256 under the secret of `boxperson-throw`, the hash of the
// row that closed the bets, and the number of the block. Four bytes are a number, the highest first; one from the highest multiple of 36 up is
// passed over, so that no throw is favoured.

const PURPOSE = "boxperson-throw";
const WAYS = 36;
const FAIR = Math.floor(2 ** 32 / WAYS) * WAYS;

/** Bytes of lower-case hex; null where it is none. */
export function bytes(hex) {
  if (typeof hex !== "string" || !/^([0-9a-f]{2})+$/.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The commitment to a secret, both in hex. */
export async function commitment(secret) {
  return hex(await crypto.subtle.digest("SHA-256", bytes(secret)));
}

/** The two dice that a secret gives once the row with this hash has closed the bets. */
export async function dice(secret, closed) {
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const text = new TextEncoder().encode(PURPOSE + closed);
  for (let block = 0; ; block += 1) {
    const message = new Uint8Array(text.length + 4);
    message.set(text);
    new DataView(message.buffer).setUint32(text.length, block);
    const words = new DataView(await crypto.subtle.sign("HMAC", key, message));
    for (let at = 0; at < words.byteLength; at += 4) {
      const way = words.getUint32(at);
      if (way < FAIR) return [Math.floor((way % WAYS) / 6) + 1, (way % 6) + 1];
    }
  }
}

/**
 * A hand as `/tables/T/hands` has it, verified: `kept` says whether the secret is the one that was committed to, and each throw with dice whether
 * they follow. Both are null where the secret is not revealed.
 */
export async function verified(hand) {
  const secret = hand.secret ?? null;
  if (secret !== null && bytes(secret)?.length !== 32) throw new Error(`hand ${hand.hand}: the secret is not 64 hex digits`);
  if (!Array.isArray(hand.throws)) throw new Error(`hand ${hand.hand}: it has no list of throws`);
  const kept = secret === null ? null : (await commitment(secret)) === hand.commitment;
  const throws = [];
  for (const { throw: number, closed, dice: found } of hand.throws) {
    const expected = secret === null ? null : await dice(secret, closed);
    const follows = expected && found ? expected[0] === found[0] && expected[1] === found[1] : null;
    throws.push({ number, closed, found: found ?? null, expected, follows });
  }
  return { hand: hand.hand, commitment: hand.commitment, secret, kept, throws };
}
