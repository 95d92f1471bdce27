/** A kernel for the command test: runs one command behind shells and waits to be killed. The argument marks its processes. */
import { runToEnd } from "../subprocess.ts";

const [mark = ""] = process.argv.slice(2);

await runToEnd({
  command: "sh",
  args: ["-c", "trap '' TERM; sh -c 'sleep 600; true' & sh -c \"sh -c 'sleep 600; true'; true\"; true"],
  cwd: "/",
  env: { set: { FAIRLEAD_MARK: mark } },
  timeLimitMs: 600_000,
  outputBytes: 1_024,
});
