/** What a screen says in the bar above it and in the title of the window. */

export interface Pill {
  text: string;
  practice?: boolean;
  act?: () => void;
}

class Header {
  title = $state("");
  lines = $state<string[]>([]);
  pills = $state<Pill[]>([]);
  /** How the puck lies: the point, or OFF; none where there is no table. */
  puck = $state<number | "off" | null>(null);
}

export const header = new Header();

/** For a screen's effect: says this while the screen is open. */
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
