/** The pages that build a project fit together: their changes apply, and what they end with is generated and answers. The commands are run by `test/e2e/guide.ts`. */
import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { repository } from "../e2e/command.ts";
import { runHere } from "../e2e/command-here.ts";
import { changed, expected, finalFiles, readSteps } from "./page.ts";

let folder = "";
afterEach(() => {
  vi.unstubAllEnvs();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

/** A project as a page leaves it. */
const build = async (page: string): Promise<void> => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-page-")));
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  const config = 'export default { manifest: "./gen/manifest.ts", gen: { loadTimeoutMs: 60_000 } };\n';
  const own = { "package.json": '{ "name": "page", "type": "module" }', "fairlead.config.ts": config };
  for (const [path, text] of [...Object.entries(own), ...finalFiles(readSteps(page))]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
};
const run = (...words: readonly string[]) => {
  const env = { FAIRLEAD_STATE_DIR: join(folder, "state") };
  return runHere(words, { cwd: folder, env });
};

it("the todo service of the guide is generated, and answers", async () => {
  await build("guide.md");
  // The configuration reads it of this process.
  vi.stubEnv("TODO_SIGNING_KEY", "of a test");
  expect(await run("gen")).toMatchObject({ code: 0, err: "" });
  const added = await run("call", "todo.add", "-d", '{"text":"buy milk"}', "--local");
  expect(added).toMatchObject({ code: 0, out: '{"id":1,"text":"buy milk","done":false}\n' });
});

it("the album of docs/files.md is generated", async () => {
  await build("files.md");
  expect(await run("gen")).toMatchObject({ code: 0, err: "" });
});

it("a change fits in one place, and an output may leave something open", () => {
  const change = [{ before: "b\n", after: "c\n" }];
  expect(changed("a\nb\n", "x", change)).toBe("a\nc\n");
  expect(() => changed("b\nb\n", "x", change)).toThrow("2 places of x");
  expect("id 7 is (there)").toMatch(expected("id … is (there)\n"));
  expect("one\ntwo").not.toMatch(expected("…"));
});

it("llms.txt lists every page, by its title", () => {
  const listed = [...readFileSync(join(repository, "docs/llms.txt"), "utf8").matchAll(/^- \[(.+)\]\((.+)\): \S/gm)];
  const titles = listed.map(([, title, file = ""]) => [file, title]);
  const pages = globSync("*.md", { cwd: join(repository, "docs") });
  const heading = (page: string): string | undefined =>
    /^# (.+)$/m.exec(readFileSync(join(repository, "docs", page), "utf8"))?.[1];
  expect(Object.fromEntries(titles)).toEqual(Object.fromEntries(pages.map((page) => [page, heading(page)])));
});
