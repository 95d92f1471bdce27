/** What an agent in the sandbox can write, and what becomes of one that cannot be held. Real namespaces where the system has them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import type { Project } from "../session/project.ts";
import { createDefects, type DefectRepository } from "../testing/agent/defects.ts";
import { driveToEnd, openProject } from "../testing/agent/drive.ts";
import { knownDenials } from "../testing/containment.ts";
import { temporaryFolder } from "../testing/repository.ts";
import { openSandbox } from "./agent-sandbox.ts";

const denials = await knownDenials();
const inLongTier = process.env.TESTS_TIER === "long";
const canHold = denials.includes("writing") && denials.includes("network");

let repository: DefectRepository;
let project: Project;
const outside = temporaryFolder();
afterAll(() => outside.remove());

afterEach(() => {
  project.close();
  repository.remove();
});

const begin = (owners: readonly string[] = []): void => {
  repository = createDefects("shell", { defects: 1, repaired: 1 });
  project = openProject(repository.path, { ownersFolders: () => owners });
};

const callsFolder = (): string => join(repository.calls, "..");

it.skipIf(!canHold)("a held agent does its tickets, and its session ends as without", async () => {
  begin();
  const { events, problem } = await driveToEnd(project, {
    agent: repository.agent,
    drive: { sandbox: "on", write: [callsFolder()] },
  });
  expect(problem).toBeUndefined();
  expect(events[0]?.text).toMatch(/^the agent is in a sandbox: it writes in its folder, .*; network: host$/);
  expect(events.at(-1)).toMatchObject({ summary: { tickets_completed: 1, tickets_verified: { server: 1 } } });
  expect(repository.git("log", "--format=%s").trim().split("\n")).toEqual(["Repair anchor", "Begin"]);
});

it.skipIf(!canHold)("a held agent writes nothing but in its folder, and finds the owner's folders empty", async () => {
  const secret = join(outside.path, "owner");
  mkdirSync(secret, { recursive: true });
  writeFileSync(join(secret, "key"), "x");
  begin([secret]);
  const top = repository.path;
  const tries = [
    ["touch by-cwd", "done"],
    ['touch "$TMPDIR/x"', "done"],
    [`touch '${outside.path}/x'`, "refused"],
    [`touch '${top}/x'`, "refused"],
    [`touch '${top}/.git/hooks/pre-commit'`, "refused"],
    [`git -C '${top}' config core.fsmonitor 'touch /x'`, "refused"],
    [`git -C '${top}' commit --allow-empty -m x`, "refused"],
    ["rm -f .git", "refused"],
    [`rm -f '${top}/.promptwheel/state.sqlite'`, "refused"],
    [`cat '${secret}/key'`, "refused"],
    [`touch "$HOME/x-$$"`, "refused"],
    ["bwrap --bind / / touch /x 2>&1", "refused"],
  ] as const;
  const script = join(outside.path, "tries.sh");
  const lines = tries.map(([line], at) => `(${line}) >/dev/null 2>&1 && echo "${at} done" || echo "${at} refused"`);
  writeFileSync(script, `cat > /dev/null\n{\n${lines.join("\n")}\n} > '${callsFolder()}/ends'\n`);
  await driveToEnd(project, { agent: `sh '${script}'`, drive: { sandbox: "on", write: [callsFolder()] } });
  const ends = readFileSync(join(callsFolder(), "ends"), "utf8").trim().split("\n");
  expect(ends.map((end, at) => [tries[at]?.[0], end.split(" ")[1]])).toEqual(tries.map(([line, end]) => [line, end]));
  expect(repository.git("status", "--porcelain")).toBe("");
});

if (inLongTier)
  it.skipIf(!canHold)(
    "where pull requests are made it commits in its worktree, and the settings of git stay as they are",
    async () => {
      begin();
      const script = join(outside.path, "commit.sh");
      const ends = join(callsFolder(), "ends");
      const config = `git -C '${repository.path}' config core.pager x`;
      writeFileSync(
        script,
        `{ git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m own; echo "commit $?"; ${config}; echo "config $?"; } >> '${ends}' 2>&1\nexec "$@"\n`,
      );
      await driveToEnd(project, {
        agent: `sh '${script}' ${repository.agent}`,
        settings: { create_prs: true },
        drive: { sandbox: "on", write: [callsFolder()] },
      });
      const lines = new Set(readFileSync(ends, "utf8").trim().split("\n"));

      expect(lines.has("commit 0")).toBe(true);
      expect(lines.has("config 0")).toBe(false);
      expect(repository.git("config", "--default", "none", "core.pager").trim()).toBe("none");
    },
  );

it.skipIf(!canHold)("an agent without the network reaches no address", async () => {
  begin();
  const program = join(outside.path, "connect.mjs");
  writeFileSync(
    program,
    'import { connect } from "node:net";\nconnect(9, "127.0.0.1").on("error", ({ code }) => console.log(code));\n',
  );
  const agent = `"${process.execPath}" "${program}"`;
  const { events } = await driveToEnd(project, { agent, drive: { sandbox: "on", network: "none" } });
  expect(events.find(({ kind }) => kind === "problem")?.text).toContain('it ends with "ENETUNREACH"');
});

it("where the system cannot hold it, `on` starts no agent, `auto` says so, and less network is never all of it", async () => {
  begin();
  const none = async () => ({ denials: [], detail: "no process namespaces here" });
  const open = (sandbox: "auto" | "on" | "off", network: "host" | "none" = "host") =>
    openSandbox("agent", { sandbox, network, write: [] }, [], none);
  await expect(open("on")).rejects.toMatchObject({
    reason: "no_sandbox",
    message: "an agent cannot be denied writing on this system (no process namespaces here)",
  });
  await expect(open("auto", "none")).rejects.toMatchObject({ reason: "no_sandbox" });
  expect((await open("auto")).describe).toMatch(/^the agent is not in a sandbox: an agent cannot be denied writing/);
  expect((await open("off")).describe).toBe("the agent is not in a sandbox");
  await expect(open("off", "none")).rejects.toMatchObject({ code: "invalid_argument" });
});

it("a system that is too busy to say what it can deny sets no agent free", async () => {
  begin();
  const busy = async () => ({ denials: [], detail: "namespaces", undecided: "the system is too busy to find out" });
  for (const sandbox of ["auto", "on"] as const)
    await expect(openSandbox("agent", { sandbox, network: "host", write: [] }, [], busy)).rejects.toMatchObject({
      reason: "no_sandbox",
      message: expect.stringContaining("too busy"),
    });
});

it.skipIf(!canHold)(
  "a folder to write in that is not there, or is the owner's, is refused before the agent starts",
  async () => {
    begin([outside.path]);
    for (const path of ["relative", join(outside.path, "missing"), outside.path]) {
      const { problem } = await driveToEnd(project, {
        agent: repository.agent,
        drive: { sandbox: "on", write: [path] },
      });
      expect(problem).toMatchObject({ code: "invalid_argument", message: expect.stringMatching(/^write\.0: /) });
    }
    expect(existsSync(repository.calls) && readFileSync(repository.calls, "utf8")).toBe("");
  },
);
