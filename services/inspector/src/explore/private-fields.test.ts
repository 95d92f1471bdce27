/** Private fields of a program's objects are read as a debugger's console reads them: nothing of the program runs or is switched for it. */
import { syncBuiltinESMExports } from "node:module";
import { setImmediate } from "node:timers/promises";
import v8 from "node:v8";
import { expect, test, vi } from "vitest";
import { inspect } from "../host.ts";

test("private fields are read with no flag of V8 and no `then` of the program", async () => {
  const then = "then";
  const fired: string[] = [];
  class Job {
    readonly #done = { [then]: () => fired.push("own then") };
    readonly #tries = 3;
    peek(): unknown {
      return [this.#done, this.#tries];
    }
  }
  const set = vi.spyOn(v8, "setFlagsFromString");
  syncBuiltinESMExports();
  Object.defineProperty(Object.prototype, then, { get: () => void fired.push("then"), configurable: true });
  try {
    const open = inspect({ job: new Job() });
    const reply = open.ask("explore", { target: "job" });
    open.close();
    expect(reply).toMatchObject({
      ok: true,
      value: {
        members: [
          { name: "#done", type: "Object" },
          { name: "#tries", value: 3 },
        ],
      },
    });
    expect(set).not.toHaveBeenCalled();
    // The engine settles its answer in microtasks.
    await setImmediate();
  } finally {
    Reflect.deleteProperty(Object.prototype, then);
    set.mockRestore();
    syncBuiltinESMExports();
  }
  expect(fired).toEqual([]);
});
