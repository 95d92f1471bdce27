import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bannerMark } from "./print/text.ts";
import { temporaryProject } from "./testing/fixture.ts";
import { apply, compare } from "./write.ts";

const text = `// ${bannerMark}\n`;
const files = ["a.ts", "b.ts"].map((name) => ({ path: `gen/${name}`, text }));

test("a failing disk leaves no temporary files, and says so", async () => {
  using project = temporaryProject();
  mkdirSync(join(project.root, "gen/b.ts"), { recursive: true });
  const comparison = await compare(project.root, { files, read: new Map() }, ["gen"]);
  await expect(apply(project.root, { files, read: new Map() }, comparison)).rejects.toThrow(/EISDIR|directory/);
  expect(readdirSync(join(project.root, "gen")).toSorted()).toEqual(["a.ts", "b.ts"]);
});

test("what a killed run left behind is removed; what a running one writes is not", async () => {
  using project = temporaryProject();
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  project.write(`gen/.a.ts.${gone}.tmp`, text);
  project.write(`gen/.b.ts.${gone}.tmp`, "");
  project.write(`gen/.a.ts.${process.ppid}.tmp`, text);
  project.write(`gen/.notes.${gone}.tmp`, "of somebody else");
  project.write(`.fairlead.names.lock.${gone}.tmp`, "");
  project.write(`.other.ts.${gone}.tmp`, "of somebody else");
  const comparison = await compare(project.root, { files: [], read: new Map() }, ["gen"]);
  expect(comparison.differences).toEqual(
    ["gen/.a.ts", "gen/.b.ts", ".fairlead.names.lock"].map((name) => ({
      path: `${name}.${gone}.tmp`,
      change: "removed",
    })),
  );
});

test("only files with the banner near their start are ours", async () => {
  using project = temporaryProject({
    "gen/late.ts": `${"//\n".repeat(200)}${text}`,
    "gen/notes.md": text,
    "gen/deeper/old.ts": text,
    "gen/old.ts": text,
  });
  const comparison = await compare(project.root, { files: [], read: new Map() }, ["gen", "gen", "nowhere"]);
  await apply(project.root, { files: [], read: new Map() }, comparison);
  expect(comparison.differences).toEqual([{ path: "gen/old.ts", change: "removed" }]);
  expect(readFileSync(join(project.root, "gen/deeper/old.ts"), "utf8")).toBe(text);
});

test("a file is read again when somebody has changed it, and not otherwise", async () => {
  using project = temporaryProject();
  const planned = { files, read: new Map() };
  await apply(project.root, planned, await compare(project.root, planned, ["gen"]));
  const paths = [...planned.read.keys()];
  expect(paths).toEqual(files.map(({ path }) => join(project.root, path)));
  const [first, second] = paths;
  planned.read.set(first, { ...planned.read.get(first), text: `${text}old` });
  project.write("gen/b.ts", `${text}changed`);
  const comparison = await compare(project.root, planned, ["gen"]);
  expect(comparison.differences.map(({ path }) => path)).toEqual(["gen/a.ts", "gen/b.ts"]);
  expect(readFileSync(String(second), "utf8")).toBe(`${text}changed`);
});
