/** Edits in a tree while hooks run: two at once, a call that is cancelled meanwhile, and more of them than are kept. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Project } from "../session/project.ts";
import { surveyProject } from "../session/scan.ts";
import { type Repository, temporaryRepository, tickingClock } from "../testing/repository.ts";
import { sampleProposal } from "../testing/sample.ts";
import { files } from "../testing/test-kernel.ts";
import { advance } from "../tool/advance.ts";
import { ingestEvent } from "../tool/ingest-event.ts";
import { startSession } from "../tool/start-session.ts";
import { nextTicket } from "../tool/ticket.ts";
import { countingIds } from "../value/id.ts";

const file = "src/close-the-file.ts";
const passed = { type: "QA_PASSED", payload: {} } as const;
const stash = "git -c user.name=A -c user.email=a@b.c stash push --quiet --include-untracked";

let repository: Repository;
let project: Project;

const place = (path: string): string => join(repository.path, path);
const read = (path: string): string => readFileSync(place(path), "utf8");

beforeEach(() => {
  repository = temporaryRepository(files);
  project = new Project("default", repository.path, {
    clock: tickingClock(),
    ids: countingIds(),
    warn: () => {},
    qaEnvironment: [],
    qaTimeLimitMs: 60_000,
    commitHooks: ".git/hooks",
  });
});
afterEach(() => {
  project.close();
  repository.remove();
});

/** A ticket whose commands the client says have passed, with a hook before its commit. */
const submit = async (hook: string): Promise<void> => {
  repository.write(".git/hooks/pre-commit", `#!/bin/sh\n${hook}\n`);
  chmodSync(place(".git/hooks/pre-commit"), 0o755);
  startSession(project, { own_tree: true }, await surveyProject(project));
  await advance(project, {});
  const proposals = [sampleProposal("Close the file", { verification_commands: ["make"] })];
  await ingestEvent(project, { type: "SCOUT_OUTPUT", payload: { proposals } });
  await nextTicket(project);
  await ingestEvent(project, { type: "PLAN_SUBMITTED", payload: { files: [file], risk_level: "low" } });
  repository.write(file, "closed\n");
  await ingestEvent(project, { type: "TICKET_RESULT", payload: { status: "done", changed_files: [file] } });
  await ingestEvent(project, { type: "QA_COMMAND_RESULT", payload: { command: "make", success: true, output: "ok" } });
};

const keptRefs = (): string => repository.git("for-each-ref", "refs/promptwheel/hook");

it("hooks of one tree run one after the other, and neither takes the other's stash for edits that are gone", async () => {
  repository.write("notes.txt", "a person's\n");
  const busy = "for i in 1 2 3 4 5 6 7 8 9 10; do git status --porcelain > /dev/null; done";
  await submit(
    `unset GIT_INDEX_FILE; mkdir .git/busy || touch .git/overlap; ${stash}; ${busy}; git stash pop --quiet --index; rmdir .git/busy`,
  );
  await Promise.all([ingestEvent(project, passed), ingestEvent(project, passed)]);
  expect(existsSync(place(".git/overlap"))).toBe(false);
  expect([read("notes.txt"), read(file), keptRefs()]).toEqual(["a person's\n", "closed\n", ""]);
  expect(repository.git("log", "--format=%s").trim().split("\n")).toEqual(["Close the file", "Begin"]);
});

it("a call that is cancelled while its hook has put edits away leaves each of them as it was", async () => {
  repository.write("notes.txt", "a person's\n");
  await submit(`unset GIT_INDEX_FILE; ${stash}; touch .git/stashed; exec tail -f /dev/null`);
  const cancel = new AbortController();
  const call = ingestEvent(project, passed, cancel.signal).then(
    () => "answered",
    () => "rejected",
  );
  await expect.poll(() => existsSync(place(".git/stashed"))).toBe(true);
  cancel.abort();
  expect(await call).toBe("rejected");
  expect([read("notes.txt"), read(file), keptRefs()]).toEqual(["a person's\n", "closed\n", ""]);
  expect(project.requireSession()).toMatchObject({ phase: "QA", current: { qaRetries: 0 } });
});

it("64 MB of edits are kept and no more, the smallest first, and what is gone beyond that is named", async () => {
  const size = 8 * 1024 * 1024;
  const names = Array.from({ length: 9 }, (_, index) => `large-${index}.bin`);
  for (const name of names) repository.write(name, name.repeat(size / name.length).padEnd(size, "."));
  repository.write("small.txt", "a person's\n");
  await submit("rm -f large-*.bin small.txt; exit 0");
  expect(await ingestEvent(project, passed)).toMatchObject({ processed: false });
  const there = names.filter((name) => existsSync(place(name)));
  expect(there).toEqual(names.slice(0, 7));
  expect(there.map((name) => statSync(place(name)).size)).toEqual(there.map(() => size));
  expect(read("small.txt")).toBe("a person's\n");
  const [run = ""] = readdirSync(place(".promptwheel/runs"));
  expect(read(`.promptwheel/runs/${run}/events.ndjson`)).toContain("and so not kept: large-7.bin, large-8.bin");
});
