/** What is being typed into a field whose words belong in the address: the address follows when the typing rests, and the field follows the address otherwise. */
import { untrack } from "svelte";

const REST = 180;

/** Made while a component is set up; it ends with it. */
export class Typed {
  text = $state("");
  #rest: ReturnType<typeof setTimeout> | undefined;
  readonly #tell: (text: string) => void;

  constructor(known: () => string, tell: (text: string) => void) {
    this.#tell = tell;
    this.text = untrack(known);
    $effect(() => {
      const says = known();
      untrack(() => {
        if (this.#rest === undefined && says !== this.text.trim()) this.text = says;
      });
    });
    $effect(() => () => clearTimeout(this.#rest));
  }

  type(text: string): void {
    this.text = text;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      this.#tell(text.trim());
    }, REST);
  }
}
