import { MediaQuery } from "svelte/reactivity";

/** Is the window too narrow for the whole felt? Then one end of it is shown, and the rest on demand. */
export const narrowWindow = new MediaQuery("max-width: 760px");
