import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// What `npm run dev` asks a server that was started with `boxperson serve`.
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
    // A page that asks for nothing from elsewhere also has no inline data, so that its policy can be strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // Sign-in and felt addresses are pages when they are read, and the server's when something is sent to them.
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
