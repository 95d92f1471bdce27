/** For `vitest` in the root: all packages in one run. */
export { default } from "./vitest.shared.ts";
