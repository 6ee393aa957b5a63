/** Which markers of side bets are lit. The table lists the lit keys of each wager. */
import type { Marker } from "./layout";
import type { FeltMarker } from "./standing";

export function litOf(markers: FeltMarker[]): (marker: Marker) => boolean {
  const lit = new Map(markers.map((marker) => [marker.wager, new Set(marker.lit)]));
  return ({ wager, key }) => lit.get(wager)?.has(key) ?? false;
}
