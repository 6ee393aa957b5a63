/** Where somebody is sent after they signed in: only to a page of our own, whatever the address says. */
export function within(to: string | null, origin: string): string {
  if (to === null || !to.startsWith("/") || to.startsWith("//") || to.startsWith("/\\")) return "/";
  try {
    const there = new URL(to, origin);
    if (there.origin !== origin || there.pathname.startsWith("//")) return "/";
    // Back to where one signs in would be a circle.
    return there.pathname === "/sign-in" ? "/" : there.pathname + there.search + there.hash;
  } catch {
    return "/";
  }
}
