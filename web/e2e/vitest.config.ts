import { defineConfig } from "vitest/config";

// Whole games in a real browser against a real server: one after the other, for they share two cores with it. With LOOK set, pictures of every
// screen are taken instead (`npm run pictures`).
const include = process.env.LOOK ? ["e2e/**/*.look.ts"] : ["e2e/**/*.e2e.ts"];

export default defineConfig({
  test: {
    include,
    root: new URL("..", import.meta.url).pathname,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    reporters: ["default"],
  },
});
