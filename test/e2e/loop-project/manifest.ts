/** The shipped manifest with the loop service of this folder in place of all others. */
import type { Manifest } from "@fairlead/kernel";
import shipped from "../../../kernel/gen/manifest.ts";

const manifest: Manifest = {
  ...shipped,
  url: import.meta.url,
  services: [{ id: "loop", module: "./service.ts" }],
};

export default manifest;
