/** Keyboard handling of the felt. Shortcuts are defined in `lib/keys.ts`. After `g`, typing a code goes to its area. */
import { isSole, meant } from "../../felt/codes";
import type { Area } from "../../felt/layout";
import { rack } from "../../lib/chips";
import { actionFor } from "../../lib/keys";
import { preferences } from "../../lib/settings.svelte";
import type { Betting } from "./betting.svelte";
import type { Room } from "./room.svelte";

/** How long to wait for the first letter of a code, and after its last letter, in milliseconds. */
const [BEFORE, AFTER] = [2_500, 700];

interface Screen {
  /** Moves the focus to the area of a bet. */
  jump: (code: string) => void;
  why: () => void;
  ask: () => void;
}

export class Keyboard {
  /** The code typed so far, starting with `g`. */
  private typed = "";
  private jumping: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly room: Room,
    private readonly betting: Betting,
    private readonly screen: Screen,
  ) {}

  /** Runs before other handlers. A key that isn't a character ends the code being typed and applies to the area of that code. */
  readonly early = (event: KeyboardEvent): void => {
    if (this.typed === "" || event.key.length === 1 || event.key === "Shift") return;
    this.land();
    const { area } = this.betting;
    if (event.key === "Enter" && area) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.betting.add(area, event);
    }
  };

  readonly key = (event: KeyboardEvent): void => {
    const at = event.target instanceof Element ? event.target : null;
    if (at?.closest("input, textarea, select, [role=dialog]") || event.defaultPrevented) return;
    if (this.typed !== "" && event.key.length === 1) {
      event.preventDefault();
      return this.spell(event.key);
    }
    const action = actionFor(event, preferences.keys, preferences.letters);
    if (action === null) return;
    const onButton = at?.closest("button, a, [role=radio]") !== null;
    if (onButton && (event.key === "Enter" || event.key === " ")) return;
    this.act(action, event);
    event.preventDefault();
  };

  private act(action: string, event: KeyboardEvent): void {
    const { player, view } = this.room;
    const { area } = this.betting;
    const bet = this.betting.meant();
    const withArea = (act: (area: Area) => unknown) => () => area && act(area);
    const withBet = (act: (bet: string) => unknown) => () => bet !== null && act(bet);
    const acts: Record<string, () => unknown> = {
      go: () => this.begin(),
      add: withArea((one) => this.betting.add(one, event)),
      most: withArea((one) => this.betting.most(one)),
      reduce: withBet((one) => player.reduce(one)),
      "take-down": withBet((one) => player.takeDown(one)),
      working: withBet((one) => player.toggle(one)),
      "all-working": () => player.toggleAll(),
      press: withBet((one) => player.press(one, "press")),
      "half-press": withBet((one) => player.press(one, "half")),
      same: withBet((one) => player.press(one, "same")),
      down: withBet((one) => player.press(one, "down")),
      undo: player.undo,
      redo: player.redo,
      repeat: player.repeat,
      clear: player.clear,
      roll: () => player.roll(),
      why: this.screen.why,
      ask: this.screen.ask,
    };
    if (action.startsWith("chip-")) {
      const value = rack(view?.limits.chip ?? 100)[Number(action.slice(5)) - 1];
      if (value !== undefined) player.hand = value;
    } else acts[action]?.();
  }

  private begin(): void {
    this.typed = "g";
    this.jumping = setTimeout(() => (this.typed = ""), BEFORE);
  }

  /** Adds a letter to the code. The code ends when it can't get longer, or after a pause. */
  private spell(letter: string): void {
    clearTimeout(this.jumping);
    this.typed += letter;
    if (isSole(this.typed.slice(1), this.codes())) this.land();
    else this.jumping = setTimeout(() => this.land(), AFTER);
  }

  private codes(): string[] {
    return (this.room.parts.drawn?.areas ?? []).flatMap((area) => area.bets);
  }

  private land(): void {
    clearTimeout(this.jumping);
    const code = meant(this.typed.slice(1), this.codes());
    this.typed = "";
    if (code !== null) this.screen.jump(code);
  }
}
