/** Whose an edit is, with a client whose hooks note when its tools are at work: driven by the commands that are installed. */
import { execFileSync } from "node:child_process";
import { readFileSync, utimesSync } from "node:fs";
import { expect, it } from "vitest";
import {
  begin,
  call,
  closing,
  finish,
  git,
  opening,
  ownTreeKernel,
  place,
  plan,
  read,
  report,
  useOwnTree,
} from "../testing/own-tree.ts";

const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

/** Lets the hook of a tool's use run, as Claude Code does. */
const hook = (event: "PreToolUse" | "PostToolUse", tool_name: string, file?: string): void => {
  const root = ownTreeKernel().repository.path;
  const entry = JSON.parse(read(".claude/settings.json")).hooks[event].find(
    ({ matcher }: { readonly matcher: string }) => new RegExp(`^(?:${matcher})$`).test(tool_name),
  );
  const tool_input = file === undefined ? { command: "make all" } : { file_path: place(file) };
  execFileSync("sh", ["-c", entry.hooks[0].command], {
    input: JSON.stringify({ hook_event_name: event, tool_name, tool_input, tool_use_id: `t ${tool_name}`, cwd: root }),
    env: { PATH: process.env.PATH ?? "", CLAUDE_PROJECT_DIR: root },
  });
};

const write = (file: string, text: string): void => ownTreeKernel().repository.write(file, text);

const agentEdits = (file: string, text: string): void => {
  hook("PreToolUse", "Write", file);
  write(file, text);
  hook("PostToolUse", "Write", file);
};

/** As if somebody had written it so many seconds from now. */
const setTime = (file: string, seconds: number): void => {
  const at = Date.now() / 1_000 + seconds;
  utimesSync(place(file), at, at);
};

/** As if a formatter had written it so many seconds after the last tool, however long ago that is on a busy machine. */
const setTimeAfterTool = (file: string, seconds: number): void => {
  const last = read(".promptwheel/tool-log.ndjson").trim().split("\n").at(-1) ?? "";
  const at = JSON.parse(last).at / 1_000 + seconds;
  utimesSync(place(file), at, at);
};

const start = async (): Promise<void> => {
  await call("installClient", { client: "claude-code" });
  git("add", "--all");
  git("commit", "--quiet", "--message", "Install");
  await begin();
  await plan(closing);
};

const ended = async () => (await call("endSession")).work[0];

it("a file that a person edits after the agent has parks the ticket, and stays as it is", async () => {
  await start();
  agentEdits(closing, "closed\n");
  write(closing, "closed, and locked by a person\n");
  setTime(closing, 60);
  await finish(closing);
  expect(await ended()).toMatchObject({
    outcome: "done",
    tree: "parked",
    files: [closing],
    unattributed: [closing],
    note: expect.stringContaining(`somebody else has edited ${closing}`),
  });
  expect(read(closing)).toBe("closed, and locked by a person\n");
});

it("a ticket has what its plan names where its result names nothing, and all else stays, listed", async () => {
  await begin();
  await plan(closing);
  write(closing, "closed\n");
  write("src/notes.ts", "a person's\n");
  await report("TICKET_RESULT", { status: "failed", reason: "no" });
  await call("advance");
  expect((await call("endSession")).work).toContainEqual(
    expect.objectContaining({ tree: "parked", files: [closing], unattributed: ["src/notes.ts"] }),
  );
  expect(read("src/notes.ts")).toBe("a person's\n");
});

if (inLongTier) {
  it("so does one that a person has edited before the agent did", async () => {
    await start();
    write(closing, "a person's\n");
    setTime(closing, 60);
    agentEdits(closing, "closed\n");
    await finish(closing);
    expect(await ended()).toMatchObject({ tree: "parked", unattributed: [closing] });
    expect(read(closing)).toBe("closed\n");
  });

  it("what a formatter, the agent's shell and the server's commands write is the ticket's", async () => {
    await start();
    hook("PreToolUse", "Bash");
    write(closing, "made by a shell\n");
    hook("PostToolUse", "Bash");
    expect(read(".promptwheel/tool-end")).toBe("\n");
    agentEdits(closing, "closed\n");
    setTimeAfterTool(closing, 2);
    await finish(closing);
    expect(await ended()).toMatchObject({ tree: "commit", files: [closing], unattributed: [] });
  });

  it("a failed ticket gives back what its agent's tools edited, also what it never named", async () => {
    await start();
    agentEdits(closing, "closed\n");
    write("notes.txt", "a person's\n");
    setTime("notes.txt", 60);
    await report("TICKET_RESULT", { status: "failed", changed_files: [], reason: "no" });
    await call("advance");
    expect(git("status", "--porcelain", "--untracked-files=all")).toBe("?? notes.txt");
  });

  it("nothing is noted without a session, and a log that is cut off says what it still does", async () => {
    await call("installClient", { client: "claude-code" });
    agentEdits(opening, "closed\n");
    expect(() => read(".promptwheel/tool-log.ndjson")).toThrow("ENOENT");
    await begin();
    await plan(closing);
    agentEdits(closing, "closed\n");
    write(".promptwheel/tool-log.ndjson", `${readFileSync(place(".promptwheel/tool-log.ndjson"), "utf8")}{"at":`);
    await finish(closing);
    expect(await ended()).toMatchObject({ tree: "commit", files: [closing] });
    expect(() => read(".promptwheel/tool-log.ndjson")).toThrow("ENOENT");
  });
}
