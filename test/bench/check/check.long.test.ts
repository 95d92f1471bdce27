/** `npm run bench -- --check` finds a slowdown. That there is none is asked on a quiet machine: beside other tests a ratio differs by a quarter. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

const check = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ readonly failed: boolean; readonly out: string }>((resolve) => {
    const args = ["--conditions=@fairlead/source", main, "--check", ...words];
    execFile(process.execPath, args, { env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ failed: error !== null, out: `${out}${err}` }),
    );
  });

test("a sum that is held up for 100 microseconds is found", async () => {
  const { failed, out } = await check(["HTTP, sum"], {
    BENCH_SLOWDOWN_MICROS: "100",
    BENCH_WARM_UP: "2",
    BENCH_ROUNDS: "6",
  });
  expect(out).toMatch(/^DEARER +HTTP, sum/m);
  expect(failed).toBe(true);
});
