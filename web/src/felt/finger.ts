/**
 * One finger on the felt. It may slide to another area before it lets go: what counts is where it ends. Held still it asks for the menu. A slide
 * that begins at once belongs to the page wherever that scrolls; one that begins after a moment on an area is the felt's.
 */

/** How long a finger is still before it asks for the menu, in milliseconds. */
export const LONG = 500;
/** How long it is on an area before a slide is the felt's. */
const SETTLED = 120;
/** How far a finger that is held still may tremble, in pixels. */
const TREMBLE = 10;

export class Finger<Area> {
  /** The area that it is on now; none is nowhere, where letting go does nothing. */
  area: Area | null;
  /** It has left the spot where it came down. */
  slid = false;
  /** It has asked for the menu, and so for nothing else. */
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

  /** Is a slide that begins now the felt's, and not the page's to scroll? Asked again, it stays so. */
  holds(now: number, scrolls: boolean): boolean {
    this.held ??= !scrolls || now - this.since >= SETTLED;
    return this.held;
  }

  move(area: Area | null, x: number, y: number): void {
    if (area !== this.from || Math.hypot(x - this.x, y - this.y) > TREMBLE) this.slid = true;
    this.area = area;
  }

  /** Held still for long enough: the area whose menu it asks for, once. */
  ask(): Area | null {
    if (this.slid || this.asked) return null;
    this.asked = true;
    return this.from;
  }

  /** Where it lets go: the area that gets the chip, if any. */
  end(): Area | null {
    return this.asked ? null : this.area;
  }
}
