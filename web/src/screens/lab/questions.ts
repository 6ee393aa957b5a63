/** Starting questions. Each is a URL of the lab. None of them recommends a strategy. */
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
