/** Writes `gen/client-hook.ts`: `npm run bundle`. A test compares what is committed. */
import { writeFile } from "node:fs/promises";
import { artefact, artefactText } from "./artefact.ts";

await writeFile(artefact, await artefactText());
