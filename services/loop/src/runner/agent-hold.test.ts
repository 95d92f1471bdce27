/** What a held program can do to the places that it may write in: to the files that others obey, and to what git keeps. Real namespaces where the system has them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "@fairlead/kernel/subprocess";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gitArguments, requireRevision } from "../git/arguments.ts";
import { openGit } from "../git/git.ts";
import type { Project } from "../session/project.ts";
import { openProject } from "../testing/agent/drive.ts";
import { knownDenials } from "../testing/containment.ts";
import { type Repository, temporaryFolder, temporaryRepository } from "../testing/repository.ts";
import { openSandbox } from "./agent-sandbox.ts";

const denials = await knownDenials();
const canHold = denials.includes("writing") && denials.includes("network");

let outside: ReturnType<typeof temporaryFolder>;
let repository: Repository;
let project: Project;
beforeEach(() => {
  outside = temporaryFolder();
  repository = temporaryRepository({ "a.ts": "1\n" });
  vi.stubEnv("HOME", outside.path);
});
afterEach(() => {
  vi.unstubAllEnvs();
  project.close();
  repository.remove();
  outside.remove();
});

/** Which of these lines of a shell end well in a sandbox. */
const attempt = async (program: string, folder: string, lines: readonly string[]): Promise<readonly string[]> => {
  const sandbox = await openSandbox(program, { sandbox: "on", network: "host", write: [] }, []);
  const { spec, variables, release } = await sandbox.hold(project, folder);
  const { output } = await runToEnd({
    command: "sh",
    args: ["-c", lines.map((line) => `(${line}) > /dev/null 2>&1 && echo done || echo refused`).join("\n")],
    cwd: folder,
    env: { set: { HOME: outside.path, ...variables } },
    ...spec,
    timeLimitMs: 60_000,
    outputBytes: 10_000,
  }).finally(release);
  return output.trim().split("\n");
};

describe.skipIf(!canHold)("the settings of an agent", () => {
  it.each([
    ["claude", ".claude", ["settings.json", "settings.local.json", "CLAUDE.md", "hooks/x", "skills/x"]],
    ["codex", ".codex", ["config.toml", "AGENTS.md", "hooks.json", "prompts/x"]],
  ])("are not its own to make, where %s has none", async (program, state, names) => {
    project = openProject(repository.path);
    mkdirSync(join(outside.path, state));
    const lines = names.map((name) => `mkdir -p "$(dirname ~/${state}/${name})"; echo x > ~/${state}/${name}`);
    const moves = [`mv ~/${state} ~/x`, `rm -r ~/${state}/${names[0]}`, `echo x > ~/${state}/history`];
    const ends = await attempt(program, repository.path, [...lines, ...moves]);
    expect(ends).toEqual([...lines.map(() => "refused"), "refused", "refused", "done"]);
  });

  it("stay as they are where they are there, and nothing else is put beside a folder that is not there", async () => {
    project = openProject(repository.path);
    expect(await attempt("codex", repository.path, ["mkdir ~/.codex"])).toEqual(["refused"]);
    mkdirSync(join(outside.path, ".claude"));
    outside.write(".claude/settings.json", '{ "mine": 1 }');
    expect(await attempt("claude", repository.path, ["echo x > ~/.claude/settings.json"])).toEqual(["refused"]);
    expect(readFileSync(join(outside.path, ".claude/settings.json"), "utf8")).toBe('{ "mine": 1 }');
    expect(readdirSync(outside.path)).toEqual([".claude"]);
  });

  it("are no links that it could replace", async () => {
    project = openProject(repository.path);
    mkdirSync(join(outside.path, ".claude"));
    outside.write("dotfiles/settings.json", "{}");
    symlinkSync(join(outside.path, "dotfiles/settings.json"), join(outside.path, ".claude/settings.json"));
    await expect(attempt("claude", repository.path, ["true"])).rejects.toMatchObject({
      reason: "no_sandbox",
      message: expect.stringContaining(".claude/settings.json is a link"),
    });
  });
});

it.skipIf(!canHold)("a link in the place of .git is refused: it could be replaced by a folder with hooks", async () => {
  const folder = join(outside.path, "project");
  mkdirSync(folder);
  symlinkSync(join(repository.path, ".git"), join(folder, ".git"));
  project = openProject(folder);
  await expect(attempt("agent", folder, ["true"])).rejects.toMatchObject({
    reason: "no_sandbox",
    message: expect.stringContaining(".git is a link"),
  });
});

describe.skipIf(!canHold)("where pull requests are made", () => {
  const ticket = "tkt_000000000001";
  let tree: string;

  /** A worktree of a ticket as a session makes it, and the settings of such a session. */
  const begin = (parallel = 1): void => {
    project = openProject(repository.path);
    tree = join(repository.path, ".promptwheel/worktrees", ticket);
    repository.git("worktree", "add", "--quiet", "-b", `promptwheel/${ticket}/it`, tree);
    vi.spyOn(project, "peek").mockReturnValue({ settings: { createPrs: true, direct: false, parallel } } as never);
  };
  const own = (): string => join(repository.path, ".git/worktrees", ticket);
  const commit = "git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m own";

  it("it commits on the branch of its ticket, and on no other", async () => {
    begin();
    const top = repository.path;
    const lines = [
      commit,
      commit,
      "git update-ref refs/heads/main HEAD",
      "git branch x",
      `rm '${top}/.git/refs/heads/main'`,
      `echo x > '${top}/.git/config'`,
      `mkdir -p '${top}/.git/logs/refs/heads/promptwheel/${ticket}/x'`,
    ];
    expect(await attempt("agent", tree, lines)).toEqual(["done", "done", ...lines.slice(2).map(() => "refused")]);
    expect(repository.git("log", "--format=%s", `promptwheel/${ticket}/it`).trim()).toBe("own\nown\nBegin");
    const git = openGit(tree);
    expect((await git(gitArguments.status())).code).toBe(0);
  });

  it("no setting of its worktree is its own, where git has such settings", async () => {
    repository.git("config", "extensions.worktreeConfig", "true");
    begin();
    const canary = join(outside.path, "canary");
    const settings = `printf '[filter "evil"]\\n\\tclean = touch ${canary}; cat\\n[core]\\n\\tfsmonitor = touch ${canary}\\n' > '${own()}/config.worktree'`;
    const lines = [
      settings,
      `rm '${own()}/config.worktree'`,
      "git config --worktree core.fsmonitor x",
      "echo '* filter=evil' > .gitattributes",
    ];
    expect(await attempt("agent", tree, lines)).toEqual(["refused", "refused", "refused", "done"]);
    writeFileSync(join(tree, "a.ts"), "2\n");
    expect((await openGit(tree)(gitArguments.status())).stdout).toContain("a.ts");
    repository.git("-C", tree, "status");
    expect(existsSync(canary)).toBe(false);
  });

  it("no link that it leaves leads the server's git elsewhere", async () => {
    begin();
    const victim = join(outside.path, "victim");
    writeFileSync(victim, "as it was\n");
    const first = requireRevision(repository.git("rev-parse", "HEAD").trim());
    const log = `${repository.path}/.git/logs/refs/heads/promptwheel/${ticket}/it`;
    const lines = [
      commit,
      `mkdir -p '${own()}/logs' && rm -f '${own()}/logs/HEAD' && ln -s '${victim}' '${own()}/logs/HEAD'`,
      `ln -sf '${victim}' '${log}'`,
    ];
    expect(await attempt("agent", tree, lines)).toEqual(["done", "done", "refused"]);
    const second = requireRevision(repository.git("rev-parse", `promptwheel/${ticket}/it`).trim());
    const git = openGit(tree);
    await expect(git(gitArguments.moveHead(first, second))).rejects.toMatchObject({ reason: "git_refused" });
    expect(readFileSync(victim, "utf8")).toBe("as it was\n");
    await expect(attempt("agent", tree, ["true"])).rejects.toMatchObject({ reason: "git_refused" });
    rmSync(join(own(), "logs/HEAD"));
    expect((await git(gitArguments.moveHead(first, second))).code).toBe(0);
  });

  it("several at a time are not held: they share the folders of objects", async () => {
    begin(2);
    await expect(attempt("agent", tree, ["true"])).rejects.toMatchObject({
      reason: "no_sandbox",
      message: expect.stringContaining("one ticket at a time"),
    });
  });
});
