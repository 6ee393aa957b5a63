import "./styles/tokens.css";
import "./styles/base.css";
import App from "./App.svelte";
import { mount } from "svelte";
import { followLinks } from "./lib/router.svelte";
import { keep } from "./lib/settings.svelte";

keep();
followLinks();
const target = document.getElementById("page");
if (target) mount(App, { target });
