/** Who the user is: not signed in, a guest (for practice tables), or an account. */
import { get, post } from "../api/client";
import type { Me } from "../api/openapi";

class Self {
  me = $state<Me | null>(null);

  get isSomebody(): boolean {
    return this.me !== null && this.me.kind !== "anonymous";
  }

  get isAccount(): boolean {
    return this.me?.kind === "account";
  }

  async learn(): Promise<void> {
    this.me = await get<Me>("/me");
  }

  /** Becomes a guest if not signed in. A guest can play at practice tables. */
  async become(): Promise<void> {
    if (this.me === null) await this.learn();
    if (!this.isSomebody) this.me = await post<Me>("/guests");
  }

  /** Signs in. `code` is that of the second factor, for accounts that have one. */
  async signIn(name: string, password: string, code?: string): Promise<void> {
    this.me = await post<Me>("/sign-in", code === undefined ? { name, password } : { name, password, code });
  }

  async signOut(everywhere = false): Promise<void> {
    await post("/sign-out", { everywhere });
    await this.learn();
  }
}

export const self = new Self();
