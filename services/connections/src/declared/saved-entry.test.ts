/** Entries that are saved at once: none is lost, and no copy is half of one. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { saveEntry } from "./saved-entry.ts";

test("entries that are saved at once are all there afterwards", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fairlead-saved-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, ".mcp.json");
  await writeFile(path, '{\n  "mcpServers": {}\n}\n');
  const names = Array.from({ length: 12 }, (_, at) => `server-${at}`);
  await Promise.all(names.map((name) => saveEntry(path, { name, value: { url: `http://127.0.0.1/${name}` } })));
  expect(Object.keys(JSON.parse(await readFile(path, "utf8")).mcpServers)).toEqual(names);
  // A copy of each state before, under a name of its own.
  const copies = ["", ...Array.from({ length: 11 }, (_, at) => `.${at + 1}`)].map((end) => `${path}.bak${end}`);
  for (const [at, copy] of copies.entries())
    expect(Object.keys(JSON.parse(await readFile(copy, "utf8")).mcpServers)).toEqual(names.slice(0, at));
  expect((await readdir(folder)).length).toBe(copies.length + 1);
});
