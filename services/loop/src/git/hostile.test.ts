/**
 * Repositories that try to run something, or to be somewhere else, and names that try to be options. A canary file would show it.
 * Names go through the real git in `option-names.test.ts`; a thousand go as far as its arguments in `arguments.test.ts`.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Repository, temporaryFolder, temporaryRepository } from "../testing/repository.ts";
import { sampleTicket } from "../testing/sample.ts";
import { gitArguments, parseRevision, requireRevision } from "./arguments.ts";
import { setUpBranch } from "./branch.ts";
import { measureChange, takeBaseline } from "./change.ts";
import { openGit } from "./git.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let repository: Repository;
let outside: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  repository = temporaryRepository({ "src/part-1.ts": "one\n", "a.bin": "x\n" });
  outside = temporaryFolder();
});
afterEach(() => {
  repository.remove();
  outside.remove();
});

const canary = (): string => join(outside.path, "canary");

/** Everything this service ever asks of git, once. */
const useEverything = async (): Promise<void> => {
  const git = openGit(repository.path);
  const baseline = await takeBaseline(git, repository.path);
  repository.write("src/part-1.ts", "two\n");
  repository.write("src/new.ts", "new\n");
  repository.write("a.bin", "y\n");
  if (baseline !== undefined) await measureChange(git, repository.path, baseline);
  for (const verb of [
    gitArguments.listFiles(),
    gitArguments.head(),
    gitArguments.currentBranch(),
    gitArguments.configNames(),
  ])
    await git(verb);
  for (const [number, ownWorktree] of [
    [1, false],
    [2, true],
  ] as const)
    await setUpBranch(git, repository.path, {
      ticket: sampleTicket(number),
      baseBranch: undefined,
      ownWorktree,
    }).catch(() => undefined);
};

describe("a hostile repository", () => {
  it("has no canary to show before it is used", async () => {
    await useEverything();
    expect(repository.git("branch", "--list", "promptwheel/*")).toContain("promptwheel/tkt_000000000001/mend-part-1");
    expect(existsSync(join(repository.path, ".promptwheel/worktrees/tkt_000000000002/src/part-1.ts"))).toBe(true);
  });

  const settings: readonly (readonly [key: string, value: (run: string) => string])[] = [
    ["core.fsmonitor", (run: string) => run],
    ["core.pager", (run: string) => run],
    ["core.editor", (run: string) => run],
    ["core.sshCommand", (run: string) => run],
    ["core.askPass", (run: string) => run],
    ["core.alternateRefsCommand", (run: string) => run],
    ["diff.external", (run: string) => run],
    ["credential.helper", (run: string) => `!${run}`],
    ["gpg.program", (run: string) => run],
    ["alias.status", (run: string) => `!${run}`],
    ["alias.switch", (run: string) => `!${run}`],
    ["filter.evil.clean", (run: string) => run],
    ["filter.evil.smudge", (run: string) => run],
    ["filter.evil.process", (run: string) => run],
    ["filter.a=b.c.clean", (run: string) => run],
    ["diff.evil.textconv", (run: string) => run],
    ["diff.evil.command", (run: string) => run],
    ["merge.evil.driver", (run: string) => run],
    ["uploadpack.packObjectsHook", (run: string) => run],
  ];

  const sample: readonly string[] = ["core.fsmonitor", "filter.evil.clean", "merge.evil.driver"];

  it.each(settings.filter(([key]) => inLongTier || sample.includes(key)))("runs nothing by %s", async (key, value) => {
    const script = join(outside.path, "run.sh");
    writeFileSync(script, `#!/bin/sh\ntouch ${canary()}\ncat\n`);
    chmodSync(script, 0o755);
    const driver = key.startsWith("filter.a=b.c") ? "a=b.c" : "evil";
    repository.write(".gitattributes", `* filter=${driver} diff=evil merge=evil\n`);
    repository.git("config", key, value(script));
    await useEverything();
    expect(existsSync(canary())).toBe(false);
  });

  if (inLongTier) {
    it("runs nothing by included configuration", async () => {
      const included = join(outside.path, "config");
      writeFileSync(
        included,
        `[core]\n\tfsmonitor = touch ${canary()}\n[filter "evil"]\n\tclean = touch ${canary()}\n`,
      );
      repository.write(".gitattributes", "* filter=evil\n");
      repository.git("config", "include.path", included);
      await useEverything();
      expect(existsSync(canary())).toBe(false);
    });
  }

  it("runs nothing by a filter that was set between two calls", async () => {
    const git = openGit(repository.path);
    expect((await git(gitArguments.status())).code).toBe(0);
    repository.git("config", "filter.evil.clean", `touch ${canary()}; cat`);
    repository.write(".gitattributes", "* filter=evil\n");
    repository.write("a.bin", "y\n");
    expect((await git(gitArguments.status())).stdout).toContain("a.bin");
    expect((await git(gitArguments.stageFiles(["a.bin"]))).code).toBe(0);
    expect(existsSync(canary())).toBe(false);
  });

  it.each([
    ["the index", "index"],
    ["the log of HEAD", "logs/HEAD"],
    ["the logs", "logs"],
    ["a folder of objects", "../../objects/ab"],
  ])("writes through no link in the place of %s of a worktree", async (_name, place) => {
    const tree = join(outside.path, "tree");
    repository.git("worktree", "add", "--quiet", "-b", "b", tree);
    const victim = join(outside.path, "victim");
    const link = join(repository.path, ".git/worktrees/tree", place);
    if (/objects|logs$/.test(place)) mkdirSync(victim);
    else writeFileSync(victim, "as it was\n");
    rmSync(link, { recursive: true, force: true });
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(victim, link);
    const head = requireRevision(repository.git("rev-parse", "HEAD").trim());
    const git = openGit(tree);
    for (const verb of [
      gitArguments.refreshIndex(),
      gitArguments.moveHead(head, head),
      gitArguments.unstage(["a.bin"]),
    ]) {
      const refused = {
        code: "failed_precondition",
        reason: "git_refused",
        message: expect.stringContaining("is a link"),
      };
      await expect(git(verb)).rejects.toMatchObject(refused);
    }
    if (/objects|logs$/.test(place)) expect(readdirSync(victim)).toEqual([]);
    else expect(readFileSync(victim, "utf8")).toBe("as it was\n");
  });

  it("runs no hooks, wherever they are", async () => {
    const hooks = join(outside.path, "hooks");
    mkdirSync(hooks);
    for (const folder of [hooks, join(repository.path, ".git/hooks")])
      for (const hook of [
        "post-checkout",
        "pre-commit",
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
      ]) {
        writeFileSync(join(folder, hook), `#!/bin/sh\ntouch ${canary()}\n`);
        chmodSync(join(folder, hook), 0o755);
      }
    repository.git("config", "core.hooksPath", hooks);
    execFileSync("rm", ["-f", canary()]);
    await useEverything();
    expect(existsSync(canary())).toBe(false);
  });

  if (inLongTier) {
    it("fetches nothing, even when objects are missing and a remote promises them", async () => {
      repository.git("config", "remote.origin.url", `ext::sh -c "touch ${canary()}"`);
      repository.git("config", "remote.origin.promisor", "true");
      repository.git("config", "extensions.partialClone", "origin");
      repository.git("config", "core.repositoryFormatVersion", "1");
      repository.git("config", "protocol.ext.allow", "always");
      const blob = repository.git("rev-parse", "HEAD:src/part-1.ts").trim();
      execFileSync("rm", ["-f", join(repository.path, ".git/objects", blob.slice(0, 2), blob.slice(2))]);
      await useEverything();
      expect(existsSync(canary())).toBe(false);
    });
  }

  it("cannot move the work tree elsewhere", async () => {
    outside.write("secret.txt", "secret\n");
    repository.git("config", "core.worktree", outside.path);
    const git = openGit(repository.path);
    expect((await git(gitArguments.listFiles())).stdout).not.toContain("secret");
    expect((await git(gitArguments.status())).stdout).not.toContain("secret");
  });

  it("shows a symlink as its name, never as what it points to", async () => {
    outside.write("secret.txt", "secret\n");
    const git = openGit(repository.path);
    const baseline = await takeBaseline(git, repository.path);
    symlinkSync(join(outside.path, "secret.txt"), join(repository.path, "src/link.ts"));
    const change = baseline && (await measureChange(git, repository.path, baseline));
    expect(change?.measured.files).toEqual(["src/link.ts"]);
    expect(change?.patch).not.toContain("secret\n");
  });
});

describe("names that try to be options", () => {
  it("are no revisions", () => {
    for (const name of [
      "--output=x",
      "-c",
      "--upload-pack=x",
      "a..b",
      "a:b",
      "a b",
      "@{-1}",
      "a\nb",
      "x.lock",
      "a/.b",
      "a//b",
      "/a",
      "a/",
      "HEAD~1",
      "a^",
      "",
    ])
      expect(parseRevision(name)).toBeUndefined();
    for (const name of ["main", "release/1.2", "feature_x-y", "0a1b2c3d"]) expect(parseRevision(name)).toBe(name);
  });
});
