/** Runs `watch` on a folder and prints each result as a line of JSON; ends with its standard input. For tests only. */
import { genConfigSchema } from "@fairlead/contracts";
import { watch } from "../watch.ts";

const stop = new AbortController();
process.stdin.on("end", () => stop.abort()).resume();
const options = { root: process.argv[2] ?? ".", config: genConfigSchema.parse({}) };
await watch(options, (result) => console.log(JSON.stringify(result)), stop.signal);
