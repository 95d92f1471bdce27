/**
 * What documents say in running text and what can be read off the sources: commands and their flags, npm scripts, variables, lists and figures.
 *
 * Not here: what can be run (`documents.long.test.ts`), settings and addresses (`documents.test.ts`), paths (`architecture/rooms.test.ts`).
 */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codes } from "@fairlead/contracts";
// @boundaries-ignore the parser that the command's definitions are written for
import { Command } from "commander";
import { describe, expect, it } from "vitest";
// @boundaries-ignore the command's own list is what the documents are held to
import { globalFlags } from "../../clients/cli/src/command/global-flags.ts";
// @boundaries-ignore the command's own list is what the documents are held to
import { commands } from "../../clients/cli/src/commands.ts";
import { order } from "../architecture/order.ts";
import { repository } from "../e2e/command.ts";

const read = (path: string): string => readFileSync(join(repository, path), "utf8");
const flat = (text: string): string => text.replace(/\s+/g, " ");
const documents = ["*.md", "docs/*.md", "services/*/README.md"]
  .flatMap((pattern) => globSync(pattern, { cwd: repository }))
  .filter((path) => path !== "CHANGELOG.md");
const services = readdirSync(join(repository, "services"));

/** Codes in text and lines of shell blocks, without what a line says of itself. */
const codesOf = (text: string): readonly string[] => {
  const block = /^```(?:sh|bash)\n([\s\S]*?)^```$/gm;
  const lines = [...text.matchAll(block)].flatMap(([, code = ""]) => code.split("\n"));
  const inText = text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g);
  return [...lines.map((line) => line.replace(/\s+# .*$/, "").trim()), ...[...inText].map(([, code = ""]) => code)];
};

/** What each document has of these, with its name. */
const found = (pick: (code: string) => readonly string[]): readonly (readonly [document: string, code: string])[] =>
  documents.flatMap((document) =>
    codesOf(read(document)).flatMap((code) => pick(code).map((each) => [document, each] as const)),
  );

/** Services that documents make up. */
const exampleServices = ["weather", "todo"];

describe("a command of fairlead", () => {
  const calls = found((code) => (/^(?:npx )?fairlead [a-z]/.test(code) ? [code.replace(/^npx /, "")] : []));
  const { verbs }: { readonly verbs: readonly { readonly name: string }[] } = JSON.parse(
    read("contracts/gen/verbs.json"),
  );

  it("is one of its own, a verb, or a service's", () => {
    const names = [...commands, ...verbs].map(({ name }) => name);
    const first = new Set([...names.map((name) => name.split(" ")[0]), ...services, ...exampleServices, "kernel"]);
    for (const [document, call] of calls) {
      const [, word = "", second = ""] = call.split(" ");
      expect(first, `${document}: ${call}`).toContain(word);
      const group = names.filter((name) => name.startsWith(`${word} `));
      if (group.length === 0 || names.includes(word) || !/^[a-z|]+$/.test(second)) continue;
      for (const name of second.split("|")) expect(group, `${document}: ${call}`).toContain(`${word} ${name}`);
    }
  });

  it("has the flags that it is shown with", async () => {
    for (const { name, load } of commands) {
      const command = new Command(name);
      (await load()).default.define(command);
      const flags = [
        ...command.options.map(({ flags }) => flags),
        ...globalFlags.map(({ flags }) => flags),
        "-h, --help",
      ];
      const known = flags.flatMap((each) => each.split(/[ ,]+/)).filter((word) => word.startsWith("-"));
      for (const [document, call] of calls.filter(([, text]) => `${text} `.startsWith(`fairlead ${name} `)))
        for (const [flag] of call.matchAll(/(?<= )--?[a-z][\w-]*/g))
          expect(known, `${document}: ${call}`).toContain(flag);
    }
  });
});

it("npm scripts exist", () => {
  const manifests = globSync("{,*/,services/*/,clients/*/}package.json", { cwd: repository });
  const scripts = manifests.flatMap((path) => Object.keys(JSON.parse(read(path)).scripts ?? {}));
  const named = found((code) =>
    [...code.matchAll(/npm run (?:--silent )?([\w:]+)\b(?! -w)/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(5);
  // `dev` is a script of the projects that `fairlead init` makes.
  for (const [document, name] of named) expect([...scripts, "dev"], document).toContain(name);
});

it("variables are read by the sources", () => {
  const sources = globSync("{kernel,clients/cli,codegen,contracts,services/*}/{src,bin}/**/*.{ts,js}", {
    cwd: repository,
  })
    .filter((path) => !/\.test\.ts$/.test(path))
    .map(read)
    .join("\n");
  const named = new Set(found((code) => code.match(/\b(?:FAIRLEAD|POB)_[A-Z_]+\b/g) ?? []).map(([, name]) => name));
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((name) => !sources.includes(name))).toEqual([]);
});

describe("a list", () => {
  it("of services in the README has every folder", () => {
    const [section = ""] = read("README.md")
      .split(/^## /m)
      .filter((each) => each.startsWith("What ships"));
    const listed = [...section.matchAll(/^\| \[?`(\w+)`/gm)].map(([, id]) => id);
    expect(listed.toSorted()).toEqual([...services, "kernel"].toSorted());
  });

  it("of folders of the kernel in ARCHITECTURE is in the order of their imports", () => {
    const [, list = ""] = /The\s+kernel's list, shortened: ([\s\S]+?)\.\n/.exec(read("ARCHITECTURE.md")) ?? [];
    const words = list.split(/→|,/).map((word) => word.trim());
    const folders = words.map((word) => (word === "transports" ? "transport" : word));
    const at = (folder: string): number =>
      (order.kernel ?? []).findIndex((each) => each === folder || each.startsWith(`${folder}/`));
    for (const folder of folders) expect(at(folder), folder).toBeGreaterThanOrEqual(0);
    const direct = folders.slice(0, list.split("→").length - 1).map(at);
    expect(direct).toEqual(direct.toSorted((a, b) => a - b));
  });

  it("of Debian's packages in CONTRIBUTING is what `.ci/run` installs", () => {
    const installed = read(".ci/run");
    for (const [, name = ""] of read("CONTRIBUTING.md").matchAll(/`(python3-\w+)`/g))
      expect(installed).toContain(`:${name}`);
  });

  it("of codes has sixteen", () => {
    expect(flat(read("ARCHITECTURE.md"))).toContain("the sixteen codes");
    expect(Object.keys(codes)).toHaveLength(16);
  });

  it("of stages in ARCHITECTURE is the order of the generator", () => {
    expect(read("ARCHITECTURE.md")).toContain("load → lower → model → check → name → emit → write");
  });
});

/** What a document says, and the line of the source that it is taken from: who changes one changes the other. */
const figures: readonly (readonly [document: string, words: string, source: string, line: string])[] = [
  ["README.md", "up to three attempts", "clients/typescript/src/retry.ts", '"subscription" ? 8 : 3'],
  ["README.md", "(about 40,", "codegen/src/check/project.ts", "mostTools = 40"],
  [
    "README.md",
    "~/Projects/pob-api-fork/API_README.md",
    "services/pob/src/setup/settings.ts",
    "~/Projects/pob-api-fork/src",
  ],
  ["SECURITY.md", "is at most 4 KB", "kernel/src/limits/fit.ts", "mostErrorBytes = 4_096"],
  ["SECURITY.md", "has eight requests answered at once", "kernel/src/server/connection.ts", "mostAtOnce = 8"],
  ["docs/trpc.md", "over the limit of 2,000", "kernel/src/server/connections/connection-table.ts", "most: 2_000"],
];
it.each(figures)("%s: %s", (document, words, source, line) => {
  expect(flat(read(document))).toContain(words);
  expect(read(source)).toContain(line);
});
