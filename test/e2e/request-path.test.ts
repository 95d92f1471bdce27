/** How many modules of the kernel one HTTP query runs a function of. ARCHITECTURE.md lists them: whoever changes the path changes both. */
import { readFileSync } from "node:fs";
import { execa } from "execa";
import { expect, test } from "vitest";

const repository = new URL("../../", import.meta.url);
const most = 18;

test("an HTTP query runs few modules, and ARCHITECTURE.md lists them", async () => {
  const probe = new URL("request-path-probe.ts", import.meta.url).pathname;
  const { stdout } = await execa(process.execPath, ["--conditions=@fairlead/source", probe]);
  const modules = JSON.parse(stdout) as readonly string[];
  expect(modules).toContain("dispatch/dispatch.ts");
  expect(modules.length).toBeLessThanOrEqual(most);
  const [, path = ""] = readFileSync(new URL("ARCHITECTURE.md", repository), "utf8").split("## 3. One request's path");
  const [table = ""] = path.split("And where a contract");
  expect(modules.filter((module) => !table.includes(`kernel/src/${module}`))).toEqual([]);
});
