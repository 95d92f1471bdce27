/** Hooks and signing of the server's commits: off unless its configuration names them, whatever the repository's settings say. */
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  call,
  closing,
  git,
  opening,
  ownTreeKernel,
  place,
  plan,
  read,
  report,
  status,
  useOwnTree,
} from "../testing/own-tree.ts";
import { sampleProposal } from "../testing/sample.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

const writeHook = (name: string, script: string): void => {
  ownTreeKernel().repository.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(place(`.git/hooks/${name}`), 0o755);
};

const hooks = { commitHooks: ".git/hooks" };

/** Does the ticket; nothing is said of its verification yet. */
const submit = async (
  config: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  await ownTreeKernel().restart(config);
  const proposals = [sampleProposal("Close the file", { verification_commands: ["make"] })];
  await ownTreeKernel().scout(proposals, { own_tree: true, ...settings });
  const ticket = await plan(closing);
  ownTreeKernel().repository.write(closing, "closed\n");
  await report("TICKET_RESULT", { ticket_id: ticket, status: "done", changed_files: [closing] });
  return ticket;
};

const pass = async () => {
  await report("QA_COMMAND_RESULT", { command: "make", success: true, output: "ok" });
  return report("QA_PASSED", {});
};

/** What the run's log says, of hooks and all else. */
const hookOutputs = (): string => {
  const runs = ".promptwheel/runs";
  return readdirSync(place(runs))
    .map((run) => read(`${runs}/${run}/events.ndjson`))
    .join("");
};

const trailer = (name: string): string => git("log", "-1", `--format=%(trailers:key=${name},valueonly)`);

describe("a commit of the server's", () => {
  it("passes the hooks that the configuration names, with the ticket's files staged, and says so", async () => {
    writeHook("pre-commit", `test "$(git diff --cached --name-only)" = ${closing} && test ! -t 0`);
    writeHook("commit-msg", 'grep -q "^Close the file" "$1" && grep -q "^Hooks: pre-commit, commit-msg" "$1"');
    ownTreeKernel().repository.write("staged.txt", "a person's\n");
    git("add", "staged.txt");
    await submit(hooks);
    expect(await pass()).toMatchObject({ processed: true });
    expect(trailer("Hooks")).toBe("pre-commit, commit-msg");
    expect(git("diff", "--cached", "--name-only")).toBe("staged.txt");
  });

  it.each([
    ["is killed", "kill -9 $$"],
    ...(inLongTier ? [["fails", "exit 1"] as const, ["passes", "exit 0"] as const] : []),
  ] as const)("is not made where a hook has put edits away and %s, and every edit is there again", async (_, end) => {
    const stash = "git -c user.name=A -c user.email=a@b.c stash push --quiet --include-untracked";
    writeHook("pre-commit", `${stash}; ${end}`);
    await ownTreeKernel().restart(hooks);
    ownTreeKernel().repository.write(opening, "a person's, staged\n");
    git("add", opening);
    ownTreeKernel().repository.write("notes.txt", "a person's, new\n");
    await submit(hooks);
    const before = status();
    expect(await pass()).toMatchObject({ processed: false, new_phase: "EXECUTE" });
    expect([read(opening), read("notes.txt"), read(closing)]).toEqual([
      "a person's, staged\n",
      "a person's, new\n",
      "closed\n",
    ]);
    expect(status()).toEqual(before);
    expect(git("for-each-ref", "refs/promptwheel/hook")).toBe("");
    expect((await call("advance")).prompt).toContain(
      "edits went away while it ran: notes.txt, src/close-the-file.ts, src/open-the-door.ts; they are as they were again",
    );
  });

  const stashAway = "git -c user.name=A -c user.email=a@b.c stash push --quiet --include-untracked";

  it("is not made where a hook put edits away, which come back byte for byte, deleted files deleted", async () => {
    const repository = ownTreeKernel().repository;
    repository.write(".gitattributes", "* text=auto\n");
    repository.write("gone.txt", "to be deleted\n");
    git("add", "--all");
    git("commit", "--quiet", "--message", "Text");
    writeHook("pre-commit", `${stashAway}; exit 1`);
    await ownTreeKernel().restart(hooks);
    repository.write(opening, "one\r\ntwo\r\n");
    chmodSync(place(opening), 0o600);
    rmSync(place("gone.txt"));
    await submit(hooks);
    await pass();
    expect(read(opening)).toBe("one\r\ntwo\r\n");
    expect(statSync(place(opening)).mode & 0o777).toBe(0o600);
    expect(existsSync(place("gone.txt"))).toBe(false);
    expect(git("for-each-ref", "refs/promptwheel/hook")).toBe("");
    expect((await call("advance")).prompt).toContain("they are as they were again");
  });

  if (inLongTier) {
    it("keeps what it cannot write back under a ref, and says so", async () => {
      writeHook("pre-commit", `${stashAway}; mkdir notes.txt; exit 1`);
      ownTreeKernel().repository.write("notes.txt", "a person's, new\n");
      await submit(hooks);
      await pass();
      const [ref = ""] = git("for-each-ref", "--format=%(refname)", "refs/promptwheel/hook").split("\n");
      expect(hookOutputs()).toContain(`what was kept is under ${ref}`);
      expect(git("show", `${ref}:notes.txt`)).toBe("a person's, new");
    });

    it("keeps no large file, and says where one is gone", async () => {
      writeHook("pre-commit", "rm large.bin; exit 0");
      ownTreeKernel().repository.write("large.bin", "x".repeat(8 * 1024 * 1024 + 1));
      await submit(hooks);
      expect(await pass()).toMatchObject({ processed: false });
      expect(hookOutputs()).toContain("too large or not readable, and so not kept: large.bin");
    });

    it("is not to blame for an edit that a person has committed meanwhile", async () => {
      const commit = "git -c user.name=A -c user.email=a@b.c commit --quiet --no-verify --message Notes";
      writeHook("pre-commit", `unset GIT_INDEX_FILE; git add notes.txt; ${commit} -- notes.txt; exit 1`);
      ownTreeKernel().repository.write("notes.txt", "a person's, new\n");
      await submit(hooks);
      await pass();
      expect(hookOutputs()).not.toContain("edits went away");
      expect(git("for-each-ref", "refs/promptwheel/hook")).toBe("");
    });

    it("is not made where a hook fails: the ticket has its output", async () => {
      writeHook("pre-commit", "echo the licence is missing; exit 3");
      await submit(hooks);
      expect(await pass()).toMatchObject({ processed: false, new_phase: "EXECUTE" });
      expect((await call("advance")).prompt).toContain("the licence is missing");
      expect(git("log", "--format=%s")).toBe("Begin");
    });

    it("is not made by a hook that changes the tree, and the ticket fails after its attempts", async () => {
      writeHook("pre-commit", `echo formatted >> ${closing}`);
      const ticket = await submit(hooks);
      for (const phase of ["EXECUTE", "EXECUTE", "NEXT_TICKET"]) {
        expect(await pass()).toMatchObject({ processed: false, new_phase: phase });
        if (phase === "EXECUTE") await report("TICKET_RESULT", { status: "done", changed_files: [closing] });
      }
      const ended = await call("endSession");
      expect(ended).toMatchObject({ tickets_failed: 1, work: [{ tree: "parked" }] });
      expect(git("show", `promptwheel/parked/${ticket}:${closing}`)).toContain("formatted");
    });

    it("passes them in a worktree and with complete_ticket, which is answered the same again", async () => {
      writeHook("pre-commit", `test -f ${closing} && pwd > ${place("../hook-folder")}-$$`);
      const { run_id } = await (async () => {
        await ownTreeKernel().restart(hooks);
        const proposals = [sampleProposal("Close the file", { verification_commands: ["make"] })];
        return ownTreeKernel().scout(proposals, { own_tree: true, direct: false });
      })();
      const { ticketId } = await call("nextTicket");
      await call("gitSetup", { ticketId });
      await report("PLAN_SUBMITTED", { ticket_id: ticketId, files: [closing], risk_level: "low" });
      ownTreeKernel().repository.write(`.promptwheel/worktrees/${ticketId}/${closing}`, "closed\n");
      const input = { ticketId, runId: run_id, event_id: "evt_0000000000aa" };
      const done = await call("completeTicket", input);
      expect(done).toMatchObject({
        success: true,
        qaResults: [{ command: "make" }, { command: "git hook pre-commit", success: true }],
      });
      expect(await call("completeTicket", input)).toEqual(done);
      expect(trailer("Hooks")).toBe("pre-commit");
    });

    it("runs none, and signs nothing, by the repository's settings", async () => {
      writeHook("pre-commit", "touch ran; exit 1");
      git("config", "core.hooksPath", place(".git/hooks"));
      git("config", "commit.gpgSign", "true");
      git("config", "gpg.program", place(".git/hooks/pre-commit"));
      await submit({});
      expect(await pass()).toMatchObject({ processed: true });
      expect(trailer("Hooks")).toBe("skipped");
      expect(existsSync(place("ran"))).toBe(false);
      expect(git("log", "-1", "--format=%G?")).toBe("N");
    });

    it("says which hook cannot be run", async () => {
      ownTreeKernel().repository.write(".git/hooks/pre-commit", "#!/bin/sh\n");
      await submit(hooks);
      expect(await pass()).toMatchObject({ processed: false, message: expect.stringContaining("QA failed") });
      expect((await call("advance")).prompt).toContain("chmod +x");
    });
  }

  it("is signed with the key that the configuration names, and by no program of the repository's", async () => {
    // What git asks of a program that signs: a line on its status channel, the signature on its output.
    ownTreeKernel().repository.write(
      ".git/sign",
      '#!/bin/sh\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED D" >&2\necho "-----BEGIN PGP SIGNATURE-----"\necho "key $4"\necho "-----END PGP SIGNATURE-----"\n',
    );
    chmodSync(place(".git/sign"), 0o755);
    git("config", "gpg.program", "/bin/false");
    await submit({ signing: { format: "openpgp", key: "ABCD", program: place(".git/sign") } });
    await pass();
    expect(git("cat-file", "commit", "HEAD")).toContain("gpgsig -----BEGIN PGP SIGNATURE-----");
  });

  it("passes no hooks of a folder that is not there, of which the session's start warns", async () => {
    await ownTreeKernel().restart({ commitHooks: ".no-hooks" });
    expect(await call("startSession", { own_tree: true })).toMatchObject({
      warnings: [expect.stringContaining(".no-hooks, which the server's configuration names (commitHooks)")],
    });
  });

  it("is not begun to work for where it could not be signed", async () => {
    await expect(submit({ signing: { format: "openpgp", key: "ABCD", program: "/bin/false" } })).rejects.toMatchObject({
      message: expect.stringContaining(
        "no commit can be signed as the server's configuration says (signing): error: gpg failed",
      ),
    });
  });
});
