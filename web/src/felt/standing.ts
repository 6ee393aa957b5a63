/** What stands on a felt, whether it is live, replayed or only shown: the least of the server's own views that a drawing needs. */
import type { MarkerView, SeatView, StandingView } from "../api/openapi";

export type FeltBet = Pick<StandingView, "bet" | "stake"> &
  Partial<Pick<StandingView, "name" | "behind" | "works" | "called">>;

export type FeltSeat = Pick<SeatView, "seat" | "name" | "rail"> & { bets: FeltBet[] };

export type FeltMarker = MarkerView;
