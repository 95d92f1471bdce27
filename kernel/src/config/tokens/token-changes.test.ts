import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { tokenStorm } from "../../testing/token-storm.ts";
import { sha256, type Token } from "./token.ts";
import { auditPath, readAudit, writeAudit } from "./token-audit.ts";
import { changeTokens } from "./token-changes.ts";
import { readTokens, tokenText } from "./token-file.ts";

const freshPath = (): string => join(mkdtempSync(join(tmpdir(), "fairlead-changes-")), "state", "tokens.json");
const token = (name: string): Token => ({ name, sha256: sha256(name), access: ["read"], perSecond: 1, concurrent: 1 });
const create = (path: string, name: string) =>
  changeTokens(path, { change: "create", name, token: sha256(name), apply: (all) => [...all, token(name)] });

it("keeps every change of processes that run at the same time, and those before a kill", async () => {
  expect(await tokenStorm({ processes: 4, changes: 6, killed: 0.3, seed: 11 })).toMatchObject({
    acknowledged: expect.toSatisfy((count: number) => count > 6),
    lost: [],
    unrecorded: 0,
  });
});

it("records who changed what, for the owner's eyes alone", () => {
  const path = freshPath();
  create(path, "a");
  changeTokens(path, { change: "revoke", name: "a", apply: () => [] });
  const done = readAudit(path).filter(({ state }) => state === "done");
  expect(done.map(({ change, name, token: digest }) => [change, name, digest])).toEqual([
    ["create", "a", sha256("a")],
    ["revoke", "a", undefined],
  ]);
  expect(done[0]).toMatchObject({ pid: process.pid, user: expect.stringMatching(/./) });
  for (const file of readdirSync(dirname(path))) expect(statSync(join(dirname(path), file)).mode & 0o077).toBe(0);
});

it("changes nothing when the change is refused", () => {
  const path = freshPath();
  create(path, "a");
  const refuse = () => {
    throw new Error("taken");
  };
  expect(() => changeTokens(path, { change: "create", name: "a", apply: refuse })).toThrow("taken");
  expect(readTokens(path)).toEqual([token("a")]);
  expect(readAudit(path)).toHaveLength(2);
});

it.each([
  ["done", [token("a"), token("b")]],
  ["undone", [token("a")]],
] as const)("finds a change that a crash cut off to be %s", (state, tokens) => {
  const path = freshPath();
  create(path, "a");
  const file = sha256(tokenText([token("a"), token("b")]));
  writeAudit(path, { id: "cut", state: "begun", change: "create", name: "b", file });
  writeFileSync(path, tokenText(tokens));
  appendFileSync(auditPath(path), '\n{"id":"torn');
  create(path, "c");
  expect(readAudit(path).findLast(({ id }) => id === "cut")?.state).toBe(state);
  expect(readTokens(path).map(({ name }) => name)).toEqual([...tokens.map(({ name }) => name), "c"]);
});

it("keeps every token, and leaves no draft, when the disk takes only a part of the file", () => {
  const path = freshPath();
  const names = Array.from({ length: 200 }, (_, at) => `t${at}`);
  changeTokens(path, { change: "create", name: "t", apply: () => names.map(token) });
  const script = `
    import { changeTokens } from ${JSON.stringify(new URL("./token-changes.ts", import.meta.url))};
    try { changeTokens(process.argv[1], { change: "revoke", name: "t0", apply: (all) => all.slice(1) }); }
    catch ({ code, message }) { console.log(JSON.stringify({ code, message })); }`;
  // The largest file that the process may write, in blocks, stands for the end of the disk: a write beyond it is cut there.
  const limited = `ulimit -f 8; exec "$0" "$@"`;
  const node = [process.execPath, "--conditions=@fairlead/source", "--input-type=module", "-e", script, path];
  const child = spawnSync("sh", ["-c", limited, ...node], { encoding: "utf8" });
  expect(child).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(child.stdout)).toEqual({ code: "unavailable", message: expect.stringMatching(/disk .* is full/) });
  expect(readTokens(path)).toHaveLength(200);
  expect(readdirSync(dirname(path)).filter((name) => name.endsWith(".new"))).toEqual([]);
  expect(readAudit(path).map(({ state }) => state)).toEqual(["begun", "done", "begun"]);
});
