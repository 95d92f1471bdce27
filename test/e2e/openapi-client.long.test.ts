/** The OpenAPI document as others use it: a client that an independent generator makes from it calls a running kernel. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ForeignProgram, installForeign } from "../foreign/install.ts";

let oazapfts: ForeignProgram;
let kernel: Kernel;
let port: number;
beforeAll(async () => {
  oazapfts = await installForeign("oazapfts");
  kernel = await openKernel({
    env: {},
    flags: { port: 0, lagMs: 60_000 },
    log: makeLog({ level: "error", write: () => {} }),
  });
  ({ port } = await kernel.serve());
});
afterAll(async () => {
  await kernel.close();
  await oazapfts.remove();
});

interface GeneratedClient {
  readonly defaults: { baseUrl: string };
  readonly [operation: string]: unknown;
}

type Call = (input: unknown) => Promise<{ readonly status: number; readonly data: unknown }>;

it("an independent generator makes a client that calls a real kernel", async () => {
  const { folder } = oazapfts;
  await writeFile(join(folder, "openapi.json"), await kernel.manifest.openapi());
  await writeFile(join(folder, "client.ts"), await oazapfts.run("generate.js", "openapi.json"));
  const client = (await import(pathToFileURL(join(folder, "client.ts")).href)) as GeneratedClient;
  const [, resolveAttack] = Object.entries(client).find(([name]) => /resolveAttack$/i.test(name)) ?? [];
  if (typeof resolveAttack !== "function") throw new Error(`no resolveAttack among ${Object.keys(client).join(", ")}`);
  const call = resolveAttack as Call;
  const attack = JSON.parse(await readFile(new URL("../../examples/attack.json", import.meta.url), "utf8")) as unknown;
  client.defaults.baseUrl = `http://127.0.0.1:${port}`;
  const answered = await call(attack);
  expect(answered.status).toBe(200);
  expect({ ok: true, value: answered.data }).toEqual(await kernel.connect().call("rules.resolveAttack", attack));
  const refused = await call({ game: 1 });
  expect(refused.status).toBe(400);
  expect(refused.data).toMatchObject({
    code: "invalid_argument",
    issues: expect.arrayContaining([expect.objectContaining({ path: "game" })]),
  });
});
