/** The user's limits, as typed and as sent to the server. The server decides which apply, and from when. */
import type { Asked, Coming, LimitsShown } from "../../api/openapi";
import { money, read } from "../../lib/money";
import { lasting } from "../../lib/time";

type Shown = Pick<LimitsShown, "lost" | "set"> & { coming?: Pick<Coming, "set"> | null };

export interface Typed {
  loss: string;
  minutes: string;
  reminder: string;
}

/** The limits that were requested last, even if they don't apply yet. */
export function typed({ set, coming }: Shown): Typed {
  const { loss, minutes, reminder } = coming?.set ?? set;
  const plain = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));
  return {
    loss: loss === null || loss === undefined ? "" : money(loss).replace("$", ""),
    minutes: plain(minutes),
    reminder: plain(reminder),
  };
}

const MOST = 2 ** 32 - 1;

export function asked(form: Typed): { asked: Asked } | { wrong: Partial<Typed> } {
  const wrong: Partial<Typed> = {};
  const minutes = (field: "minutes" | "reminder", word: string) => {
    const text = form[field].trim();
    if (text === "") return null;
    if (/^\d{1,5}$/.test(text) && Number(text) > 0) return Number(text);
    wrong[field] = `${word}, or leave it empty.`;
    return null;
  };
  const loss = form.loss.trim() === "" ? null : read(form.loss);
  if (form.loss.trim() !== "" && (loss === null || loss > MOST))
    wrong.loss = "Enter an amount such as 200, or leave it empty for no limit.";
  const [most, often] = [
    minutes("minutes", "Enter minutes, such as 120"),
    minutes("reminder", "Enter minutes, such as 30"),
  ];
  return Object.keys(wrong).length > 0 ? { wrong } : { asked: { loss, minutes: most, reminder: often } };
}

/** Limits as text. */
export function told({ loss, minutes, reminder }: Asked): string[] {
  return [
    loss === null || loss === undefined ? "no loss limit" : `at most ${money(loss)} lost in a visit`,
    minutes === null || minutes === undefined ? "no time limit" : `at most ${lasting(minutes)} in a visit`,
    reminder === null || reminder === undefined ? "no reminder" : `a reminder every ${lasting(reminder)}`,
  ];
}

/** The part of a limit that is used, from 0 to 1. */
export function used(so: number, most: number): number {
  return most <= 0 ? 1 : Math.min(Math.max(so / most, 0), 1);
}
