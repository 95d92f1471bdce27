/** Writes `docs/machine.md` from the table; run by `npm run docs`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { tableDocument } from "./table-document.ts";

const folder = new URL("../../docs/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("machine.md", folder), tableDocument());
