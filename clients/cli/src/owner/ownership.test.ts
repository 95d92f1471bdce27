import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Context } from "../command/context.ts";
import { settleOwnership } from "./ownership.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fl-ownership-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a folder where no place takes a socket has one owner, which the others cannot reach", async () => {
  const context = {
    cwd: folder,
    io: { env: { FAIRLEAD_STATE_DIR: join(folder, "state") }, err: () => undefined },
    configPath: () => undefined,
    configFile: () => Promise.resolve({ path: undefined, root: folder, value: {} }),
  } as unknown as Context;
  const settle = () => settleOwnership(context, { command: "up", local: false }, () => Promise.resolve(undefined));
  const first = await settle();
  expect(first).toMatchObject({ kind: "own", folder: join(folder, "state"), key: undefined });
  await expect(settle()).rejects.toMatchObject({
    message: expect.stringContaining("does not answer"),
    hint: expect.stringContaining(`if it has ended, remove ${join(folder, "state", "owner", "1.json")}`),
  });
  if (first.kind === "own") first.release();
  expect(await settle()).toMatchObject({ kind: "own", folder: join(folder, "state") });
});
