/**
 * One finger on the felt. It can slide to another area before it lifts; the bet goes where it ends. Held still, it opens the menu. A slide that
 * starts at once scrolls the page, if the page can scroll. A slide that starts after a short pause on an area stays on the felt.
 */

/** How long a finger must be still to open the menu, in milliseconds. */
export const LONG = 500;
/** How long a finger must rest on an area before a slide stays on the felt, in milliseconds. */
const SETTLED = 120;
/** How far a finger can move and still count as held still, in pixels. */
const TREMBLE = 10;

export class Finger<Area> {
  /** The area under the finger; null if there is none, and then lifting does nothing. */
  area: Area | null;
  /** True if the finger has left the spot where it came down. */
  slid = false;
  /** True if the finger has opened the menu. Then it does nothing else. */
  asked = false;
  private held: boolean | undefined;

  constructor(
    readonly id: number,
    readonly from: Area,
    readonly x: number,
    readonly y: number,
    readonly since: number,
  ) {
    this.area = from;
  }

  /** True if a slide stays on the felt instead of scrolling the page. The answer is fixed at the start of the slide. */
  holds(now: number, scrolls: boolean): boolean {
    this.held ??= !scrolls || now - this.since >= SETTLED;
    return this.held;
  }

  move(area: Area | null, x: number, y: number): void {
    if (area !== this.from || Math.hypot(x - this.x, y - this.y) > TREMBLE) this.slid = true;
    this.area = area;
  }

  /** Called when the finger was still long enough. Returns the area whose menu opens, only once. */
  ask(): Area | null {
    if (this.slid || this.asked) return null;
    this.asked = true;
    return this.from;
  }

  /** Called when the finger lifts. Returns the area that gets the chip, or null. */
  end(): Area | null {
    return this.asked ? null : this.area;
  }
}
