/**
 * Sounds and vibrations, generated without files. Each kind of event has its own rhythm, so that it can be recognized without hearing the pitch.
 * Won, lost and undecided rolls have the same length and loudness. No sound celebrates a win or hints at a near miss. Sound and vibration are
 * switched on separately. Neither is needed, because everything is also shown as text.
 */
import { preferences } from "./settings.svelte";

export type Heard = "chip" | "dice" | "won" | "lost" | "none" | "refused";

/** One part of a sound, in seconds and hertz. */
export interface Part {
  at: number;
  long: number;
  kind: "tone" | "knock" | "buzz";
  pitch: number;
}

const [LOW, HIGH] = [392, 523];

export const SOUNDS: Record<Heard, Part[]> = {
  // Two clay chips touch.
  chip: [
    { at: 0, long: 0.03, kind: "knock", pitch: 3200 },
    { at: 0.05, long: 0.04, kind: "knock", pitch: 2500 },
  ],
  // A rattle that slows down.
  dice: [0, 0.06, 0.13, 0.22, 0.34].map((at) => ({ at, long: 0.035, kind: "knock" as const, pitch: 1500 })),
  // Won: short then long, rising. Lost: long then short, falling. None: one steady tone.
  won: [
    { at: 0, long: 0.12, kind: "tone", pitch: LOW },
    { at: 0.12, long: 0.24, kind: "tone", pitch: HIGH },
  ],
  lost: [
    { at: 0, long: 0.24, kind: "tone", pitch: HIGH },
    { at: 0.24, long: 0.12, kind: "tone", pitch: LOW },
  ],
  none: [{ at: 0, long: 0.36, kind: "tone", pitch: LOW }],
  // The same low buzz twice.
  refused: [
    { at: 0, long: 0.08, kind: "buzz", pitch: 140 },
    { at: 0.14, long: 0.08, kind: "buzz", pitch: 140 },
  ],
};

/** The vibration patterns: milliseconds on and off, alternating. */
export const BUZZES: Record<Heard, number[]> = {
  chip: [14],
  dice: [16, 40, 16, 60, 16, 90, 16],
  won: [40, 40, 100],
  lost: [100, 40, 40],
  none: [180],
  refused: [50, 50, 50, 50, 50],
};

export const lasts = (parts: Part[]) => Math.max(...parts.map((part) => part.at + part.long));

/** The sound of a roll for the player at this seat, by the net of its results. A bet that only moved isn't counted. */
export function heardOf(
  results: { seat: number; outcome: string; paid: number; commission: number }[],
  seat: number | null,
): Heard {
  const net = results
    .filter((one) => one.seat === seat && one.outcome !== "moved")
    .reduce((sum, one) => sum + one.paid - one.commission, 0);
  return net > 0 ? "won" : net < 0 ? "lost" : "none";
}

/** Plays a sound and a vibration, if they are switched on. */
export function hear(what: Heard): void {
  if (preferences.sound) sound(SOUNDS[what]);
  if (preferences.vibration) vibrate(BUZZES[what]);
}

function vibrate(pattern: number[]): void {
  // Not every device can vibrate, and some only allow it after the first touch.
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
  // Browsers block sound until the user has pressed something. Sounds from before that aren't played later.
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
