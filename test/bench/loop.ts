/** The loop: the bench of its own package, which drives one session through the package's inside, in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname } from "node:path";

export const benchLoop = async (): Promise<void> => {
  const folder = dirname(createRequire(import.meta.url).resolve("@fairlead/service-loop/package.json"));
  const running = spawn(process.execPath, ["--run", "bench"], { cwd: folder, stdio: "inherit" });
  const [code] = await once(running, "close");
  if (code !== 0) throw new Error(`the loop's bench ended with ${code}; run it in ${folder} to see why`);
};
