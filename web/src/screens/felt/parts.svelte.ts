/** The layouts of a table, and the visible part of the felt: all of it, the player's end, or one band at a time in a narrow window. */
import { untrack } from "svelte";
import { get, path } from "../../api/client";
import { around, type Area, type Band, type Box, type Layout } from "../../felt/layout";
import { narrowWindow } from "../../lib/narrow";

export const PARTS: Record<Band, string> = { line: "Line", boxes: "Boxes", centre: "Center", side: "Side" };
const BANDS = ["line", "boxes", "centre", "side"] as const;

export class FeltParts {
  layout = $state.raw<Layout | null>(null);
  /** The layout for a narrow window: one end, the center and the side bets below one another. */
  slim = $state.raw<Layout | null>(null);
  trouble = $state.raw<unknown>(null);
  band = $state<Band>("boxes");
  zoom = $state(false);

  readonly narrow = $derived(narrowWindow.current);
  /** The layout that is shown. */
  readonly drawn = $derived.by(() => (this.narrow ? this.slim : this.layout));
  readonly end = $derived.by(
    () => this.layout?.stations.find((station) => station.seat === this.seat())?.end ?? "right",
  );
  readonly bands = $derived(BANDS.filter((of) => this.slim?.views.some((one) => one.band === of && one.h > 0)));

  /** The visible part of the felt; null is all of it. */
  readonly part = $derived.by((): Box | null => {
    if (this.narrow) return this.slim?.views.find((one) => one.band === this.band) ?? null;
    return this.zoom && this.layout ? around(this.layout.areas.filter((area) => area.end === this.end)) : null;
  });

  /** The part of the whole felt that a narrow window shows. */
  readonly here = $derived.by((): Box | null => {
    if (!this.layout) return null;
    const middle = this.band === "centre" || this.band === "side";
    const shows = (area: Area) =>
      middle ? area.band === this.band && area.end === "centre" : area.end === this.end && area.seat === null;
    return around(this.layout.areas.filter(shows));
  });

  constructor(
    table: string,
    /** The seat of the player, or of the player that a watcher follows. */
    private readonly seat: () => number | null,
    /** The focused area. */
    chosen: () => string | null,
  ) {
    const load = (address: string, then: (told: Layout) => void) => {
      const gone = new AbortController();
      get<Layout>(address, gone.signal).then(then, (thrown: unknown) => {
        if (!gone.signal.aborted) this.trouble = thrown;
      });
      return () => gone.abort();
    };
    const address = path("tables", table, "layout");
    $effect(() => load(address, (told) => (this.layout = told)));
    $effect(() => (this.narrow ? load(`${address}?narrow=${this.end}`, (told) => (this.slim = told)) : undefined));
    $effect(() => {
      const area = this.narrow ? this.slim?.areas.find((one) => one.id === chosen()) : undefined;
      if (area) untrack(() => this.reveal(area));
    });
  }

  /** In a narrow window, shows the part with this area. */
  reveal(area: Area): void {
    if (area.band !== this.band && !(area.band === "line" && this.band === "boxes")) this.band = area.band;
  }

  /** Goes to the part that was tapped on the small felt. The propositions are in the middle, with the side bets above them. */
  fly(event: MouseEvent): void {
    const { layout, bands } = this;
    if (!layout) return;
    if (event.detail === 0) {
      // By keyboard: goes to the next part.
      this.band = bands[(bands.indexOf(this.band) + 1) % bands.length] ?? "boxes";
      return;
    }
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const [across, down] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const two = layout.ends.length > 1;
    const middle = two ? across > 0.4 && across < 0.6 : across < 0.34;
    const side = bands.includes("side") && (two ? middle && down < 0.34 : across > 0.66);
    this.band = side ? "side" : middle ? "centre" : "boxes";
  }
}
