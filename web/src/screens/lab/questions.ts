/** Questions to begin with: each is an address of the lab. None says what to play. */
import { query } from "../../api/client";

export interface Question {
  asks: string;
  how: string;
  address: string;
}

const at = (values: Record<string, string | number>) => `/lab${query(values)}`;

export const QUESTIONS: Question[] = [
  {
    asks: "What does doubling after each loss cost?",
    how: "martingale and a flat pass line, on the same dice",
    address: at({ strategy: "martingale", versus: "pass-flat" }),
  },
  {
    asks: "What do odds behind the line change?",
    how: "pass with the most odds and pass alone, on the same dice",
    address: at({ strategy: "pass-max", versus: "pass-flat" }),
  },
  {
    asks: "What does another state’s law change?",
    how: "the field in Pennsylvania and in New Jersey, on the same dice",
    address: at({ strategy: "field", at: "house:pa-craps", versus: "same", versus_at: "house:nj-craps" }),
  },
  {
    asks: "What comes of twenty throws, exactly?",
    how: "every session of the pass line, solved without dice",
    address: at({ strategy: "pass-flat", throws: 20, form: "exact" }),
  },
];
