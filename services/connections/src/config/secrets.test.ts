import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Secrets } from "./secrets.ts";

/** Notes that it began, and ends when it may. */
const slow = `
  const { appendFileSync, existsSync } = require("node:fs");
  appendFileSync("begun", "x");
  setInterval(() => { if (existsSync("go")) { console.log("secret"); process.exit(); } }, 10);
`;

it("runs a command once at a time, and again when it has ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-secrets-"));
  const secrets = new Secrets({ TOKEN: { command: process.execPath, args: ["-e", slow] } }, {}, folder);
  const target = { env: { TOKEN: "$" + "{TOKEN}" } };
  const begun = (): string => readFileSync(join(folder, "begun"), "utf8");
  const first = secrets.read(target);
  await expect.poll(begun, { timeout: 20_000 }).toBe("x");
  const second = secrets.read(target);
  writeFileSync(join(folder, "go"), "");
  expect([(await first).TOKEN, (await second).TOKEN]).toEqual(["secret", "secret"]);
  expect(begun()).toBe("x");
  await secrets.read(target);
  expect(begun()).toBe("xx");
  rmSync(folder, { recursive: true });
});
