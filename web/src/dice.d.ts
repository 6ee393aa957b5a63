declare module "*/verify/dice.js" {
  export function verified(hand: unknown): Promise<unknown>;
}
