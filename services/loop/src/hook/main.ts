/** The script that clients run: `node <project>/.claude/hooks/fairlead-loop.cjs <hook>`, with the client's JSON on standard input. */
import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { hooks } from "./client-format.ts";

const [, script = "", name = ""] = process.argv;
const root = dirname(dirname(dirname(realpathSync(script))));
const input = readFileSync(0, "utf8");
process.stdout.write(hooks[name]?.(root, input.trim() === "" ? {} : JSON.parse(input)) ?? "");
