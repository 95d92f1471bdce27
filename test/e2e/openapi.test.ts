/**
 * The OpenAPI document as others see it: an independent validator finds nothing wrong, and a client that an independent generator
 * makes from it calls a running kernel.
 */
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { Validator } from "@seriousme/openapi-schema-validator";
import { generateSource } from "oazapfts";
import { afterAll, beforeAll, expect, it } from "vitest";

const quiet = makeLog({ level: "error", write: () => {} });

let kernel: Kernel;
let port: number;
beforeAll(async () => {
  kernel = await openKernel({ env: {}, flags: { port: 0, lagMs: 60_000 }, log: quiet });
  ({ port } = await kernel.serve());
});
afterAll(() => kernel.close());

it("an independent validator accepts the document", async () => {
  const document = JSON.parse(await kernel.manifest.openapi()) as Record<string, unknown>;
  const { valid, errors } = await new Validator().validate(document);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

it("names every procedure of the catalog once, with its errors", async () => {
  const document = JSON.parse(await kernel.manifest.openapi()) as {
    readonly paths: Record<
      string,
      Record<string, { readonly operationId: string; readonly responses: Record<string, unknown> }>
    >;
  };
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const names = kernel.catalog.all().map(({ name }) => name);
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(names.toSorted());
  for (const { responses } of operations)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "400"]));
});

interface GeneratedClient {
  readonly defaults: { baseUrl: string };
  readonly [operation: string]: unknown;
}

type Call = (input: unknown) => Promise<{ readonly status: number; readonly data: unknown }>;

it("an independent generator makes a client that calls a real kernel", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fairlead-openapi-"));
  await mkdir(join(folder, "node_modules/@oazapfts"), { recursive: true });
  await symlink(
    new URL("../../node_modules/@oazapfts/runtime", import.meta.url),
    join(folder, "node_modules/@oazapfts/runtime"),
  );
  await writeFile(join(folder, "openapi.json"), await kernel.manifest.openapi());
  await writeFile(join(folder, "client.ts"), await generateSource(join(folder, "openapi.json")));
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
}, 60_000);
