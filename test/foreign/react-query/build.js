/** Bundles both entries into `dist`. */
import { build } from "rolldown";

const conditionNames = ["@fairlead/source", "import", "module", "default"];
const transform = { jsx: "react-jsx", define: { "process.env.NODE_ENV": '"production"' } };
await build({
  input: "browser.tsx",
  platform: "browser",
  resolve: { conditionNames: ["browser", ...conditionNames] },
  transform,
  output: { dir: "dist", format: "esm" },
});
await build({
  input: "server.tsx",
  platform: "node",
  resolve: { conditionNames: ["node", ...conditionNames] },
  transform,
  output: { dir: "dist", format: "esm" },
});
