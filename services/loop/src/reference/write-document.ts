/** Brings `docs/reference.md` up to date; run by `npm run docs`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fillReference } from "./reference-document.ts";

const path = new URL("../../docs/reference.md", import.meta.url);
writeFileSync(path, fillReference(readFileSync(path, "utf8")));
