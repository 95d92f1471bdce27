/** The loop: the benches of its own package, which drive one session through the package's inside, and its clients' hooks; each in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname } from "node:path";

export const benchLoop = (): Promise<void> => runInPackage("bench");

export const benchHooks = (): Promise<void> => runInPackage("bench:hooks");

const runInPackage = async (script: string): Promise<void> => {
  const folder = dirname(createRequire(import.meta.url).resolve("@fairlead/service-loop/package.json"));
  const running = spawn(process.execPath, ["--run", script], { cwd: folder, stdio: "inherit" });
  const [code] = await once(running, "close");
  if (code !== 0) throw new Error(`${script} of the loop ended with ${code}; run it in ${folder} to see why`);
};
