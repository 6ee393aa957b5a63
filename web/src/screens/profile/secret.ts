/** How the secret of a second factor is shown. */

/** The secret in groups of four, as people type it. */
export function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? "";
}

/** The address of a drawing that the server sent. As an image it can't run scripts. */
export function image(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
