/** What stands on a felt, whether it is live, replayed or only shown: the least that a drawing needs. */

export interface FeltBet {
  bet: string;
  stake: number;
  name?: string;
  behind?: string | null;
  works?: boolean;
  called?: string;
}

export interface FeltSeat {
  seat: number;
  name: string;
  rail?: number | null;
  bets: FeltBet[];
}

export interface FeltMarker {
  wager: string;
  progress: number;
}
