/** Chips: their values, their looks, and how an amount is stacked. The amount itself is always written next to the stack. */

export interface Face {
  value: number;
  label: string;
  /** The CSS custom property with its color. */
  color: string;
  /** The number of edge spots. It grows with the value, so that chips can be told apart without color. */
  spots: number;
  /** True if the letters are dark. */
  dark: boolean;
}

const FACES: Face[] = [
  { value: 100, label: "1", color: "--chip-1", spots: 0, dark: true },
  { value: 500, label: "5", color: "--chip-5", spots: 2, dark: false },
  { value: 2500, label: "25", color: "--chip-25", spots: 3, dark: false },
  { value: 10000, label: "100", color: "--chip-100", spots: 4, dark: false },
  { value: 50000, label: "500", color: "--chip-500", spots: 6, dark: false },
];

/** The chip values in use at a table with this lowest chip. */
export function rack(lowest: number): number[] {
  const usual = FACES.map((face) => face.value).filter((value) => value >= lowest);
  return usual.includes(lowest) ? usual : [lowest, ...usual];
}

export function chipFace(value: number): Face {
  const known = FACES.find((face) => face.value === value);
  if (known) return known;
  const label = value % 100 === 0 ? String(value / 100) : `${value}¢`;
  return { value, label, color: "--chip-1", spots: 0, dark: true };
}

/** The chips of a stack, largest at the bottom. At most `most` are drawn. */
export function stacked(amount: number, lowest: number, most = 8): number[] {
  const values = [...rack(lowest)].reverse();
  const chips: number[] = [];
  let rest = amount;
  for (const value of values) {
    while (rest >= value && chips.length < most) {
      chips.push(value);
      rest -= value;
    }
  }
  return chips.length === 0 ? [lowest] : chips;
}
