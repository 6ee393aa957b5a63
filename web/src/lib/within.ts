/** Returns the page to open after sign-in. Only pages of this site are allowed. */
export function within(to: string | null, origin: string): string {
  if (to === null || !to.startsWith("/") || to.startsWith("//") || to.startsWith("/\\")) return "/";
  try {
    const there = new URL(to, origin);
    if (there.origin !== origin || there.pathname.startsWith("//")) return "/";
    // Returning to the sign-in page would be a loop.
    return there.pathname === "/sign-in" ? "/" : there.pathname + there.search + there.hash;
  } catch {
    return "/";
  }
}
