import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The paths that `npm run dev` forwards to a server started with `boxperson serve`.
const api = [
  "tables",
  "books",
  "odds",
  "wagers",
  "houses",
  "guests",
  "me",
  "sign-in",
  "sign-out",
  "sim",
  "strategies",
  "talk",
  "check",
  "fill",
  "why",
  "replay",
  "position",
  "felt",
  "layouts",
];
const server = { target: process.env.BOXPERSON_SERVER ?? "http://127.0.0.1:8080", ws: true };

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The page has no inline data, so that its content security policy can be strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // For the paths of sign-in and felt, a GET is a page and other requests go to the server.
  server: {
    proxy: Object.fromEntries(
      api.map((path) => [
        `/${path}`,
        path === "sign-in" || path === "felt"
          ? { ...server, bypass: (asked: { method?: string }) => (asked.method === "GET" ? "/index.html" : undefined) }
          : server,
      ]),
    ),
  },
  test: { include: ["src/**/*.test.ts"] },
});
