/**
 * Color computations for the tests of the tokens. None of this is in the page.
 *
 * Contrast is WCAG 2.2's. Color vision is simulated with the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based Model for
 * Simulation of Color Vision Deficiency" (IEEE TVCG 15(6), 2009), at full severity, in linear light. The difference of two colors is their distance
 * in CIE L*a*b* under D65: about 2.3 is just noticeable, and 20 is clearly another color.
 */

/** Red, green and blue in linear light, from 0 to 1. */
export type Light = readonly [number, number, number];

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const coded = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);
const each = (light: Light, change: (part: number) => number): Light => [
  change(light[0]),
  change(light[1]),
  change(light[2]),
];

export function color(text: string): Light {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  if (!hex) throw new Error(`not a color: ${text}`);
  return each([parseInt(hex[1]!, 16), parseInt(hex[2]!, 16), parseInt(hex[3]!, 16)], (part) => linear(part / 255));
}

/** Mixes one color over another. Browsers mix the encoded values. */
export function over(above: Light, below: Light, share: number): Light {
  const [one, other] = [each(above, coded), each(below, coded)];
  return each([0, 1, 2].map((at) => one[at]! * share + other[at]! * (1 - share)) as unknown as Light, linear);
}

export function luminance([red, green, blue]: Light): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: Light, other: Light): number {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

type Matrix = readonly [Light, Light, Light];
const MACHADO: Record<"protanopia" | "deuteranopia" | "tritanopia", Matrix> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix: Matrix, light: Light): Light =>
  matrix.map((row) => row[0] * light[0] + row[1] * light[1] + row[2] * light[2]) as unknown as Light;

/** How a color looks with each kind of color vision. */
export const EYES = {
  usual: (light: Light): Light => light,
  protanopia: (light: Light): Light => each(times(MACHADO.protanopia, light), within),
  deuteranopia: (light: Light): Light => each(times(MACHADO.deuteranopia, light), within),
  tritanopia: (light: Light): Light => each(times(MACHADO.tritanopia, light), within),
  greyscale: (light: Light): Light => each(light, () => luminance(light)),
} as const;

function within(part: number): number {
  return Math.min(1, Math.max(0, part));
}

function lab(light: Light): Light {
  const [x, y, z] = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    light,
  );
  const [fx, fy, fz] = [x / 0.95047, y, z / 1.08883].map((part) =>
    part > 216 / 24389 ? Math.cbrt(part) : ((24389 / 27) * part + 16) / 116,
  ) as [number, number, number];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

export function apart(one: Light, other: Light): number {
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
