/** The current page. Every screen has a real URL that can be shared and opened again. */

class Place {
  path = $state(location.pathname);
  search = $state(location.search);
  hash = $state(location.hash);

  /** The parts of the path: `/felt/practice-pa` is `["felt", "practice-pa"]`. */
  get parts(): string[] {
    return this.path.split("/").filter(Boolean).map(readable);
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.search);
  }

  read(): void {
    this.path = location.pathname;
    this.search = location.search;
    this.hash = location.hash;
  }
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const place = new Place();

export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  const before = place.path;
  place.read();
  if (place.path !== before) scrollTo(0, 0);
}

/** Updates the query of the URL without a new history entry. */
export function note(values: Record<string, string | number | null | undefined>): void {
  const search = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === "") search.delete(key);
    else search.set(key, String(value));
  }
  const text = search.toString();
  go(location.pathname + (text ? `?${text}` : "") + location.hash, { replace: true });
}

/** Follows links within the site without reloading the page. */
export function followLinks(): void {
  addEventListener("popstate", () => place.read());
  addEventListener("hashchange", () => place.read());
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const elsewhere =
      event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || elsewhere || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.dataset.outside !== undefined) return;
    event.preventDefault();
    if (link.href !== location.href) go(link.pathname + link.search + link.hash);
  });
}
