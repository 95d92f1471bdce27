/** Values that only a program of its own has: a module that has not run to its end, and a promise that a marked method rejects. */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { defaultLimits } from "@fairlead/linq/limits";
import { expect, onTestFinished, test } from "vitest";
import { Targets } from "../attach/targets.ts";
import { inspect } from "../host.ts";
import { makeFolder, startProgram } from "../testing/program.ts";

const { signal } = new AbortController();

const attached = async (words: readonly string[]) => {
  const { pid } = await startProgram(["--inspect-port=127.0.0.1:0", ...words]);
  const none = { ask: () => Promise.reject(new Error("not asked")), close: () => Promise.resolve() };
  const options = { limits: defaultLimits, timeoutMs: 60_000, redact: {}, heapMb: 0, now: () => 0 };
  const targets = new Targets(options, none);
  onTestFinished(() => targets.close());
  await targets.attach(pid, "refused");
  return targets;
};

test("a module that has not run to its end shows what it has, and says which exports have no value yet", async () => {
  const folder = await makeFolder({
    "late.mjs": `import * as self from "./late.mjs"; globalThis.late = self; export const early = 1; console.log("ready");
      await new Promise(() => setInterval(() => undefined, 1000)); export const later = 2; export class Order {}`,
  });
  const targets = await attached([join(folder, "late.mjs")]);
  const eval_ = (expr: string) => targets.ask("eval", { expr, depth: 1 }, signal);
  expect(await eval_("Global.late.early")).toMatchObject({ kind: "value", value: 1 });
  expect(await eval_("Global.late.later")).toMatchObject({ kind: "problem", problem: { code: "not_readable" } });
  const looking = { target: "Global.late", depth: 1, includePrivate: true, limit: 50, offset: 0 };
  expect(await targets.ask("explore", looking, signal)).toMatchObject({
    value: {
      members: expect.arrayContaining([
        expect.objectContaining({ name: "early", value: 1 }),
        expect.objectContaining({ name: "later", unreadable: expect.any(String) }),
      ]),
    },
  });
});

test("a marked method that gives a rejected promise leaves no unhandled rejection", async () => {
  class Shop {}
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const pure = () => Promise.reject(new Error("out of stock"));
  const load = { name: "Load", returns: "object", pure };
  const { ask, close } = inspect(
    { Shop: new Shop() },
    { types: [{ kind: "class", name: "Shop", constructs: Shop, members: [], methods: [load] }] },
  );
  onTestFinished(close);
  expect(ask("eval", { expr: "Shop.Load()" })).toMatchObject({ ok: true });
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  expect(unhandled).toEqual([]);
});
