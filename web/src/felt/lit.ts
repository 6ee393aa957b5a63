/**
 * Which markers of side bets are lit.
 *
 * TODO(server): the page still reads the bits of a wager's progress here. Once a marker has a `key` and a table tells the keys that are `lit`, this
 * becomes a look-up.
 */
import type { Marker } from "./layout";
import type { FeltMarker } from "./standing";

export function litOf(markers: FeltMarker[]): (marker: Marker) => boolean {
  const progress = new Map(markers.map((marker) => [marker.wager, marker.progress]));
  return ({ wager, bit, count }) => {
    const now = progress.get(wager) ?? 0;
    return bit != null ? ((now >> bit) & 1) === 1 : count != null && now >= count;
  };
}
