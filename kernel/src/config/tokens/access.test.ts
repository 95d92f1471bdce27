/** Tokens of a running kernel, changed through its own contract as a console does it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MemoryKernel, openMemoryKernel } from "../../memory.ts";
import { sha256 } from "./token.ts";

let folder: string;
let kernel: MemoryKernel;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-access-"));
  kernel = openMemoryKernel([], { stateDir: folder });
});
afterEach(async () => {
  await kernel.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly [field: string]: ReturnType<typeof JSON.parse>;
}

const ask = async (name: string, input: object = {}): Promise<Answer> => {
  const reply = await kernel.call(`kernel.${name}`, input);
  if (reply.ok) return reply.value as Answer;
  throw Object.assign(new Error(reply.error.message), reply.error);
};

const stored = (): Answer => JSON.parse(readFileSync(join(folder, "tokens.json"), "utf8"));

test("a token is answered once, kept by its hash alone, and listed", async () => {
  expect(await ask("listTokens")).toMatchObject({ tokens: [], changes: [], open: true });
  const made = await ask("createToken", { name: "ci", access: ["read"], days: 30, services: ["kernel"] });
  expect(made.token).toMatch(/^fairlead_[\w-]{43}$/);
  expect(stored().tokens).toMatchObject([{ name: "ci", sha256: sha256(made.token), services: ["kernel"] }]);
  const listed = await ask("listTokens");
  expect(listed).toMatchObject({
    open: false,
    tokens: [{ name: "ci", state: "current", source: "file", access: ["read"], ends: made.ends }],
    changes: [{ change: "create", name: "ci", by: "local", made: true }],
  });
  expect(listed.tokens[0].fingerprint).toBe(sha256(made.token).slice(0, 12));
  expect(JSON.stringify(listed)).not.toContain(made.token);
  expect(readFileSync(join(folder, "tokens.json.audit.ndjson"), "utf8")).not.toContain(made.token);
  await expect(ask("createToken", { name: "ci" })).rejects.toMatchObject({ reason: "name_taken" });
});

test("a rotated token works on for a while, or not at all", async () => {
  const first = await ask("createToken", { name: "desk" });
  const second = await ask("rotateToken", { name: "desk", keepMinutes: 5 });
  expect(second.token).not.toBe(first.token);
  expect((await ask("listTokens")).tokens).toMatchObject([
    { state: "current" },
    { state: "replaced", ends: second.oldUntil },
  ]);
  await ask("rotateToken", { name: "desk", keepMinutes: 0 });
  expect((await ask("listTokens")).tokens).toMatchObject([{ state: "current" }]);
  expect((await ask("listTokens")).changes.map(({ change }: Answer) => change)).toEqual(["rotate", "rotate", "create"]);
});

test("a revoked caller is gone, and what is not there is said with what is", async () => {
  await ask("createToken", { name: "a" });
  await ask("createToken", { name: "b" });
  expect(await ask("revokeToken", { name: "a" })).toEqual({ name: "a", left: 1 });
  for (const name of ["revokeToken", "rotateToken"])
    await expect(ask(name, { name: "a" })).rejects.toMatchObject({ reason: "unknown_token", data: { known: ["b"] } });
});

test.each([
  [{ name: "local" }, "invalid_argument"],
  [{ name: "a b" }, "invalid_argument"],
  [{ name: "x", access: [] }, "invalid_argument"],
  [{ name: "x", services: ["nope"] }, "not_found"],
])("%j is refused, and nothing is made", async (input, code) => {
  await expect(ask("createToken", input)).rejects.toMatchObject({ code });
  expect((await ask("listTokens")).open).toBe(true);
});

test("a kernel without a folder says that it has no file", async () => {
  const bare = openMemoryKernel([]);
  const reply = await bare.call("kernel.createToken", { name: "x" });
  expect(reply).toMatchObject({ ok: false, error: { reason: "no_file" } });
  await bare.close();
});

test("a token is in no event", async () => {
  const { token } = await ask("createToken", { name: "ci" });
  const reply = await kernel.subscribe("kernel.events", { last: 100 });
  if (!reply.ok) throw new Error(reply.error.message);
  const seen: unknown[] = [];
  for await (const item of reply.items) {
    seen.push(item);
    if (JSON.stringify(item).includes("kernel.createToken")) break;
  }
  expect(JSON.stringify(seen)).not.toContain(token);
});

test("a file that is broken is left as it is", async () => {
  writeFileSync(join(folder, "tokens.json"), "{", { mode: 0o600 });
  await expect(ask("createToken", { name: "x" })).rejects.toMatchObject({ code: "failed_precondition" });
  expect(readFileSync(join(folder, "tokens.json"), "utf8")).toBe("{");
});
