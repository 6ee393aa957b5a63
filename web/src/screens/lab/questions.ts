/** Questions to begin with: each is an address of the lab. None says what to play. */
import { query } from "../../api/client";
import asked from "../../../data/questions.json";

export interface Question {
  asks: string;
  how: string;
  address: string;
}

export const QUESTIONS: Question[] = asked.map(({ asks, how, setup }) => ({
  asks,
  how,
  address: `/lab${query(setup)}`,
}));
