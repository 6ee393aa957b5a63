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
      // TypeScript knows every name there is.
      "no-undef": "off",
      "no-irregular-whitespace": ["error", { skipStrings: true, skipTemplates: true }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // The formatter writes {" "} where a space must stay.
      "svelte/no-useless-mustaches": "off",
      // Maps, sets and addresses are replaced as a whole (`$state.raw`), never changed in place.
      "svelte/prefer-svelte-reactivity": "off",
      // Addresses here are the server's own paths; there is no base path to resolve them against.
      "svelte/no-navigation-without-resolve": "off",
    },
  },
  {
    files: ["src/**/*.svelte", "src/**/*.svelte.ts", "src/**/*.ts"],
    languageOptions: { parserOptions: typed },
    rules: {
      // A promise that nobody waits for hides its failure.
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  { files: ["*.config.{js,ts}", "e2e/**", "fonts/**"], languageOptions: { globals: { ...globals.node } } },
);
