/**
 * Runs once around all tests: temporary files of a run are in one folder of its own, which goes with the run. What Node has compiled is kept
 * from run to run, for every process that a test starts: half of a command's CPU time is compiling the same modules again.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export default (): (() => void) => {
  // Short: a path of a Unix socket below it has at most about a hundred bytes.
  const folder = mkdtempSync(join(tmpdir(), "fl-"));
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../../node_modules/.cache/compile", import.meta.url));
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};
