/** The bets, seats and markers on a felt, live or replayed: only the fields of the server's views that a drawing needs. */
import type { MarkerView, SeatView, StandingView } from "../api/openapi";

export type FeltBet = Pick<StandingView, "bet" | "stake"> &
  Partial<Pick<StandingView, "name" | "behind" | "works" | "called">>;

export type FeltSeat = Pick<SeatView, "seat" | "name" | "rail"> & { bets: FeltBet[] };

export type FeltMarker = MarkerView;
