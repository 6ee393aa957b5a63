/** What a screen shows in the top bar and in the window title. */

export interface Pill {
  text: string;
  practice?: boolean;
  act?: () => void;
}

class Header {
  title = $state("");
  lines = $state<string[]>([]);
  pills = $state<Pill[]>([]);
  /** The puck: the point, or `off`; null if there is no table. */
  puck = $state<number | "off" | null>(null);
}

export const header = new Header();

/** Sets the header. Returns a function that clears it, for a screen's effect. */
export function announce(
  title: string,
  lines: string[] = [],
  pills: Pill[] = [],
  puck: number | "off" | null = null,
): () => void {
  header.title = title;
  header.lines = lines;
  header.pills = pills;
  header.puck = puck;
  return () => {
    header.title = "";
    header.lines = [];
    header.pills = [];
    header.puck = null;
  };
}
