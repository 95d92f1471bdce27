/** A file that is written, or replaced as editors do it, is noticed; its neighbours are not. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { expect, it } from "vitest";
import { watchFiles } from "./watch.ts";

it("notices each change of a watched file, and none after its scope has closed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-watch-"));
  const file = join(folder, ".mcp.json");
  let changes = 0;
  const changed = async (): Promise<void> => {
    changes += 1;
  };
  const scope = Scope.makeUnsafe();
  const watching = watchFiles([file, join(folder, "not", "there.lua")], changed);
  await Effect.runPromise(Scope.provide(watching, scope));
  writeFileSync(join(folder, "neighbour"), "x");
  writeFileSync(file, "{}");
  await expect.poll(() => changes).toBe(1);
  writeFileSync(`${file}.new`, "{ }");
  renameSync(`${file}.new`, file);
  await expect.poll(() => changes).toBe(2);
  await Effect.runPromise(Scope.close(scope, Exit.void));
  rmSync(folder, { recursive: true });
});
