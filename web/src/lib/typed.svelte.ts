/** An input field whose text is part of the URL. The URL is updated when typing pauses; otherwise the field follows the URL. */
import { untrack } from "svelte";

const REST = 180;

/** Must be created while a component is initialized. It ends with the component. */
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
