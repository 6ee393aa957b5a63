declare module "*/verify/dice.js" {
  export function verified(hand: unknown, before?: unknown): Promise<unknown>;
}
