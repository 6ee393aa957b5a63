import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

const typed = { projectService: true, extraFileExtensions: [".svelte"], parser: ts.parser, svelteConfig };

export default defineConfig(
  globalIgnores(["dist", "pictures", "src/api/openapi.d.ts"]),
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      // TypeScript already checks for undefined names.
      "no-undef": "off",
      "no-irregular-whitespace": ["error", { skipStrings: true, skipTemplates: true }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // The formatter writes {" "} to keep a space.
      "svelte/no-useless-mustaches": "off",
      // Maps, sets and URLs are always replaced (`$state.raw`), never changed in place.
      "svelte/prefer-svelte-reactivity": "off",
      // Links are absolute paths on the server, so there is no base path to resolve.
      "svelte/no-navigation-without-resolve": "off",
    },
  },
  {
    files: ["src/**/*.svelte", "src/**/*.svelte.ts", "src/**/*.ts"],
    languageOptions: { parserOptions: typed },
    rules: {
      // A promise that isn't awaited hides its errors.
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  { files: ["*.config.{js,ts}", "e2e/**", "fonts/**"], languageOptions: { globals: { ...globals.node } } },
);
