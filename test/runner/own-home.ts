/**
 * Runs before each test file: the worker has a home folder of its own, since state that is kept nowhere else is kept there. Neither the
 * user's own kernel nor another worker's can be met by a test. npm's settings and its cache stay the user's.
 */
import { mkdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const home = join(tmpdir(), `home-${process.env.VITEST_POOL_ID}`);
if (homedir() !== home) {
  process.env.npm_config_userconfig ??= join(homedir(), ".npmrc");
  process.env.npm_config_cache ??= join(homedir(), ".npm");
  for (const name of ["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"]) delete process.env[name];
  mkdirSync(home, { recursive: true, mode: 0o700 });
  process.env.HOME = home;
}
