/** Programs that are no good as MCP servers: `node bad.ts exit|silent|garbage|drip|cut|leaves`. */
import { spawn } from "node:child_process";

const [, , mode = ""] = process.argv;
const keep = (): void => void setInterval(() => undefined, 1_000);

switch (mode) {
  case "exit":
    console.error("cannot find my configuration");
    process.exit(2);
    break;
  case "silent":
    keep();
    break;
  case "garbage":
    setInterval(() => process.stdout.write('{"jsonrpc":"2.0",\n{not json\n[]\nhello\n'), 20);
    break;
  case "drip":
    setInterval(() => process.stdout.write("x"), 20);
    break;
  case "cut":
    // Breaks off in the middle of its first answer.
    process.stdin.once("data", () => process.stdout.write('{"jsonrpc":"2.0","id":0,"res', () => process.exit(1)));
    break;
  case "leaves":
    // A helper that outlives its parent when nobody ends the group.
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
    setTimeout(() => process.exit(1), 200);
    break;
}
