/** Runs one command, for the test of what is shown of it. */
import { runToEnd } from "../subprocess.ts";

await runToEnd({ command: "true", args: ["traced"], cwd: "/", timeLimitMs: 60_000, outputBytes: 1_024 });
