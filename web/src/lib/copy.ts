/** Puts a text on the clipboard. Some browsers and plain connections let nobody: then it is for hands to do. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
