/**
 * What is heard and felt, made up here and not from files. Each kind of event has a rhythm of its own, so that ears that miss the pitch still know
 * it. Won, lost and undecided rolls last equally long and are equally loud: none is cheered, none is mourned, and nothing hints at what almost came.
 * Sound and vibration are switched on one by one; neither is needed, for everything is said in words as well.
 */
import { preferences } from "./settings.svelte";

export type Heard = "chip" | "dice" | "won" | "lost" | "none" | "refused";

/** One part of a sound; seconds and hertz. */
export interface Part {
  at: number;
  long: number;
  kind: "tone" | "knock" | "buzz";
  pitch: number;
}

const [LOW, HIGH] = [392, 523];

export const SOUNDS: Record<Heard, Part[]> = {
  // Two clays meet.
  chip: [
    { at: 0, long: 0.03, kind: "knock", pitch: 3200 },
    { at: 0.05, long: 0.04, kind: "knock", pitch: 2500 },
  ],
  // A rattle that slows down.
  dice: [0, 0.06, 0.13, 0.22, 0.34].map((at) => ({ at, long: 0.035, kind: "knock" as const, pitch: 1500 })),
  // Short, long, upwards; long, short, downwards; one that stays.
  won: [
    { at: 0, long: 0.12, kind: "tone", pitch: LOW },
    { at: 0.12, long: 0.24, kind: "tone", pitch: HIGH },
  ],
  lost: [
    { at: 0, long: 0.24, kind: "tone", pitch: HIGH },
    { at: 0.24, long: 0.12, kind: "tone", pitch: LOW },
  ],
  none: [{ at: 0, long: 0.36, kind: "tone", pitch: LOW }],
  // Twice the same, low.
  refused: [
    { at: 0, long: 0.08, kind: "buzz", pitch: 140 },
    { at: 0.14, long: 0.08, kind: "buzz", pitch: 140 },
  ],
};

/** The same in the hand: milliseconds on and off by turns. */
export const BUZZES: Record<Heard, number[]> = {
  chip: [14],
  dice: [16, 40, 16, 60, 16, 90, 16],
  won: [40, 40, 100],
  lost: [100, 40, 40],
  none: [180],
  refused: [50, 50, 50, 50, 50],
};

export const lasts = (parts: Part[]) => Math.max(...parts.map((part) => part.at + part.long));

/** What a roll sounds like to the player at this seat: by the net of its results. A bet that only moved was not decided. */
export function heardOf(
  results: { seat: number; outcome: string; paid: number; commission: number }[],
  seat: number | null,
): Heard {
  const net = results
    .filter((one) => one.seat === seat && one.outcome !== "moved")
    .reduce((sum, one) => sum + one.paid - one.commission, 0);
  return net > 0 ? "won" : net < 0 ? "lost" : "none";
}

/** Lets something be heard and felt, as far as somebody has asked for it. */
export function hear(what: Heard): void {
  if (preferences.sound) sound(SOUNDS[what]);
  if (preferences.vibration) vibrate(BUZZES[what]);
}

function vibrate(pattern: number[]): void {
  // Not every device has it, and some let nobody before the first touch.
  try {
    navigator.vibrate?.(pattern);
  } catch {
    return;
  }
}

let context: AudioContext | null = null;
let hiss: AudioBuffer | null = null;
const LOUD = 0.16;

function sound(parts: Part[]): void {
  if (typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  const on = context;
  // A browser keeps quiet until somebody has pressed something; what was to be heard before is not made up for.
  if (on.state === "suspended") void on.resume().catch(() => undefined);
  const now = on.currentTime + 0.01;
  for (const part of parts) play(on, part, now + part.at);
}

function play(on: AudioContext, part: Part, at: number): void {
  const gain = on.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(LOUD, at + 0.006);
  gain.gain.setValueAtTime(LOUD, at + part.long * 0.6);
  gain.gain.linearRampToValueAtTime(0, at + part.long);
  gain.connect(on.destination);
  if (part.kind === "knock") {
    const source = on.createBufferSource();
    const filter = on.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = part.pitch;
    filter.Q.value = 2;
    source.buffer = hiss ??= noise(on);
    source.connect(filter).connect(gain);
    source.start(at, 0, part.long);
    source.onended = () => gain.disconnect();
    return;
  }
  const source = on.createOscillator();
  source.type = part.kind === "buzz" ? "square" : "triangle";
  source.frequency.value = part.pitch;
  source.connect(gain);
  source.start(at);
  source.stop(at + part.long);
  source.onended = () => gain.disconnect();
}

function noise(on: AudioContext): AudioBuffer {
  const buffer = on.createBuffer(1, Math.ceil(on.sampleRate / 10), on.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < data.length; index += 1) data[index] = Math.random() * 2 - 1;
  return buffer;
}
