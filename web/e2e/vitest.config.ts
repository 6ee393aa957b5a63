import { defineConfig } from "vitest/config";

// Whole games in a real browser against a real server. The files run one after another to save CPU. With LOOK set, it takes pictures of every
// screen instead (`npm run pictures`).
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
