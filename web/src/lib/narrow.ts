import { MediaQuery } from "svelte/reactivity";

/** True if the window is too narrow for the whole felt. Then the page shows one part of it at a time. */
export const narrowWindow = new MediaQuery("max-width: 760px");
