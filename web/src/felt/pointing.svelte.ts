/** Handles mouse, pen and touch on the felt, and tracks the area under them. */
import { Finger, LONG } from "./finger";
import type { Area, Point } from "./layout";
import type { Touched } from "./lens";

/** The actions on an area. */
export interface Acts {
  onadd?: (area: Area, event: MouseEvent | KeyboardEvent) => void;
  onreduce?: (area: Area) => void;
  /** A bet was dragged off the felt. */
  onremove?: (area: Area) => void;
  onmenu?: (area: Area, at: Point) => void;
  onhover?: (area: Area | null, at: Point) => void;
  /** A finger is on an area; null when it no longer is. */
  ontouched?: (touched: Touched | null) => void;
}

interface Felt {
  drawing: SVGSVGElement | undefined;
  /** The id of the drawing that the magnifier shows. */
  drawn: string;
  reached: Area[];
  picture: boolean;
  acts: Acts;
  choose: (area: Area) => void;
}

/** How long after a finger lifts a click still belongs to it, in milliseconds. */
const FOLLOWS = 700;

/** The top center of an element, in the window. */
export function above(element: Element): Point {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top };
}

const elementOf = (event: Event) => event.currentTarget as Element;

export class Pointing {
  hovered = $state<string | null>(null);
  focused = $state<string | null>(null);
  /** The area under a finger. */
  touched = $state.raw<Area | null>(null);
  readonly shown = $derived.by(() => this.touched?.id ?? this.hovered ?? this.focused);

  /** A pen that is held down, and whether it has opened the menu. */
  private pressed: { timer: ReturnType<typeof setTimeout>; done: boolean } | null = null;
  private finger: Finger<Area> | null = null;
  private long: ReturnType<typeof setTimeout> | undefined;
  /** The time at which a finger last lifted. */
  private freed = -Infinity;
  /** The area where a drag of a bet began. */
  private dragged: Area | null = null;

  constructor(private readonly felt: () => Felt) {}

  private get acts(): Acts {
    return this.felt().acts;
  }

  add(area: Area, event: MouseEvent | KeyboardEvent): void {
    this.felt().choose(area);
    this.acts.onadd?.(area, event);
  }

  down(area: Area, event: PointerEvent): void {
    if (this.felt().picture) return;
    if (event.pointerType === "mouse") {
      if (event.button === 0) this.dragged = area;
      return;
    }
    if (event.pointerType === "touch") return this.put(area, event);
    const at = above(elementOf(event));
    const timer = setTimeout(() => {
      if (this.pressed) this.pressed.done = true;
      this.acts.onmenu?.(area, at);
    }, LONG);
    this.pressed = { timer, done: false };
  }

  /** A finger comes down. Two fingers pinch and bet nothing. */
  private put(area: Area, event: PointerEvent): void {
    if (!event.isPrimary) return this.lift();
    this.finger = new Finger(event.pointerId, area, event.clientX, event.clientY, event.timeStamp);
    this.long = setTimeout(() => this.menuUnderFinger(), LONG);
    this.tell(event);
  }

  move(event: PointerEvent): void {
    const { finger } = this;
    if (!finger || finger.asked || event.pointerId !== finger.id) return;
    finger.move(this.areaAt(event), event.clientX, event.clientY);
    if (finger.slid) clearTimeout(this.long);
    this.tell(event);
  }

  private menuUnderFinger(): void {
    const area = this.finger?.ask();
    if (!area) return;
    const element = this.felt().drawing?.querySelector(`[data-area="${CSS.escape(area.id)}"]`);
    const at = element ? above(element) : null;
    this.unmark();
    if (at) this.acts.onmenu?.(area, at);
  }

  up(event: PointerEvent): void {
    this.release();
    if (!this.finger || event.pointerId !== this.finger.id) return;
    const area = this.finger.end();
    this.freed = event.timeStamp;
    clearTimeout(this.long);
    this.unmark();
    if (area) this.add(area, event);
  }

  cancel(): void {
    this.release();
    this.lift();
  }

  private release(): void {
    if (this.pressed) clearTimeout(this.pressed.timer);
  }

  /** The finger has lifted, or it scrolls the page. */
  private lift(): void {
    clearTimeout(this.long);
    this.finger = null;
    this.unmark();
  }

  private unmark(): void {
    this.touched = null;
    this.acts.ontouched?.(null);
  }

  /** The area under the finger now. Its events always go to the area where it came down. */
  private areaAt({ clientX, clientY }: PointerEvent): Area | null {
    const { drawing, reached } = this.felt();
    const met = document.elementsFromPoint(clientX, clientY);
    if (!met[0] || !drawing?.contains(met[0])) return null;
    const id = met.map((one) => one.closest("[data-area]")?.getAttribute("data-area")).find(Boolean);
    return reached.find((area) => area.id === id) ?? null;
  }

  private tell({ clientX, clientY }: PointerEvent): void {
    const { drawing, drawn } = this.felt();
    this.touched = this.finger?.area ?? null;
    const scale = drawing?.getScreenCTM();
    if (!this.touched || !scale) return this.acts.ontouched?.(null);
    const on = new DOMPoint(clientX, clientY).matrixTransform(scale.inverse());
    const at = { x: clientX, y: clientY };
    this.acts.ontouched?.({ area: this.touched, at, on: { x: on.x, y: on.y }, scale: scale.a, drawing: drawn });
  }

  click(area: Area, event: MouseEvent): void {
    // A finger acts when it lifts. In browsers without touch events, a click follows and must be ignored.
    if (event.detail > 0 && event.timeStamp - this.freed < FOLLOWS) return;
    // A long press has already opened the menu.
    const asked = this.pressed?.done === true;
    this.pressed = null;
    if (!asked) this.add(area, event);
  }

  context(area: Area, event: MouseEvent): void {
    event.preventDefault();
    // Some devices report a long press as a right click, sometimes earlier than we do.
    if (this.finger) return this.menuUnderFinger();
    if (this.pressed?.done) return;
    this.felt().choose(area);
    this.acts.onreduce?.(area);
  }

  enter(area: Area, event: PointerEvent): void {
    if (event.pointerType !== "mouse") return;
    this.hovered = area.id;
    this.acts.onhover?.(area, above(elementOf(event)));
  }

  leave(): void {
    this.hovered = null;
    this.acts.onhover?.(null, { x: 0, y: 0 });
  }

  focus(area: Area, event: FocusEvent): void {
    this.focused = area.id;
    this.felt().choose(area);
    const element = elementOf(event);
    if (element.matches(":focus-visible")) this.acts.onhover?.(area, above(element));
  }

  blur(): void {
    this.focused = null;
    this.acts.onhover?.(null, { x: 0, y: 0 });
  }

  /** A drag that ends outside the felt takes the bet down. */
  letGo(event: PointerEvent): void {
    const from = this.dragged;
    this.dragged = null;
    if (from && event.target instanceof Node && !this.felt().drawing?.contains(event.target))
      this.acts.onremove?.(from);
  }

  /** Listens for touches that must not scroll the page or be followed by a click. */
  readonly slides = (node: SVGSVGElement) => {
    // A slide that stays on the felt must not scroll the page.
    const move = (event: TouchEvent) => {
      const page = document.scrollingElement;
      const scrolls = page !== null && page.scrollHeight > page.clientHeight + 1;
      const held = this.finger !== null && event.touches.length === 1 && event.cancelable;
      if (held && this.finger?.holds(event.timeStamp, scrolls)) event.preventDefault();
    };
    // A finger acts when it lifts, so no click may follow: not here, and not on a menu that has opened under it.
    const ended = (event: TouchEvent) => {
      if (!this.finger) return;
      this.finger = null;
      if (event.cancelable) event.preventDefault();
    };
    node.addEventListener("touchmove", move, { passive: false });
    node.addEventListener("touchend", ended, { passive: false });
    return {
      destroy: () => {
        node.removeEventListener("touchmove", move);
        node.removeEventListener("touchend", ended);
        clearTimeout(this.long);
      },
    };
  };
}
