/** The shipped manifest with the loop service of this folder in place of all others. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Manifest } from "@fairlead/kernel";

const kernel = pathToFileURL(createRequire(import.meta.url).resolve("@fairlead/kernel/package.json"));
const shipped = (await import(new URL("gen/manifest.ts", kernel).href)) as { readonly default: Manifest };

const manifest: Manifest = {
  ...shipped.default,
  url: import.meta.url,
  services: [{ id: "loop", module: "./service.ts" }],
};

export default manifest;
