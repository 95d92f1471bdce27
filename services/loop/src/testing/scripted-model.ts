/**
 * A fake model: answers each prompt of a session by a script, and really edits the files. It knows the prompts by
 * the event they ask for, as a model would.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { sampleProposal } from "./sample.ts";

interface ScriptedReply {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What a model may do to a session; the same words on every transport. */
export interface SessionDriver {
  advance(): Promise<{
    readonly next_action: string;
    readonly phase: string;
    readonly prompt: string | null;
    readonly parallel_tickets?: readonly { readonly ticket_id: string; readonly prompt: string }[] | undefined;
  }>;
  ingest(type: string, payload: Readonly<Record<string, unknown>>): Promise<unknown>;
}

interface Script {
  /** Titles of the proposals, one ticket each. */
  readonly titles: readonly string[];
  /** Folder of the project; files are edited there. */
  readonly folder: string;
  /** Verification commands of the proposals; those of the sample when left out. */
  readonly commands?: readonly string[];
}

const proposalFile = (title: string): string => `src/${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.ts`;

/** The replies to a prompt, in order. */
export const scriptReplies = (prompt: string, { titles, folder, commands }: Script): readonly ScriptedReply[] => {
  const id = /tkt_[0-9a-z]{12}/.exec(prompt)?.[0] ?? "";
  const title = titles.find((one) => prompt.includes(one)) ?? "";
  if (prompt.includes("type `SCOUT_OUTPUT`"))
    return [
      {
        type: "SCOUT_OUTPUT",
        payload: {
          proposals: titles.map((one) => sampleProposal(one, commands && { verification_commands: commands })),
          explored_dirs: ["src"],
          exploration_summary: "read it all",
        },
      },
    ];
  if (prompt.includes("type `PLAN_SUBMITTED`"))
    return [
      {
        type: "PLAN_SUBMITTED",
        payload: {
          ticket_id: id,
          files_to_touch: [{ path: proposalFile(title), reason: "it is there", action: "edit" }],
          estimated_lines: 3,
          risk_level: "low",
        },
      },
    ];
  if (prompt.includes("type `TICKET_RESULT`")) {
    const file = join(folder, proposalFile(title));
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `// ${title}\n`);
    return [
      {
        type: "TICKET_RESULT",
        payload: {
          ticket_id: id,
          status: "done",
          changed_files: [proposalFile(title)],
          lines_added: 1,
          lines_removed: 0,
          summary: `did ${title}`,
        },
      },
    ];
  }
  if (prompt.includes("type `QA_PASSED`"))
    return [
      ...(commands ?? ["npm test"]).map((command) => ({
        type: "QA_COMMAND_RESULT",
        payload: { ticket_id: id, command, success: true, output: "1 passed" },
      })),
      { type: "QA_PASSED", payload: { ticket_id: id, summary: "all good" } },
    ];
  if (prompt.includes("type `PR_CREATED`"))
    return [
      { type: "PR_CREATED", payload: { ticket_id: id, url: "https://example.com/pr/1", branch: `promptwheel/${id}` } },
    ];
  throw new Error(`the script has no answer to: ${prompt.slice(0, 200)}`);
};

/** Drives a session to its end; gives the phases it saw. */
export const playThrough = async (
  driver: SessionDriver,
  script: Script,
  mostSteps = 100,
): Promise<readonly string[]> => {
  const seen: string[] = [];
  for (let step = 0; step < mostSteps; step += 1) {
    const response = await driver.advance();
    seen.push(response.phase);
    if (response.next_action === "STOP") return seen;
    const prompts = response.parallel_tickets?.map(({ prompt }) => prompt) ?? [response.prompt ?? ""];
    for (const prompt of prompts)
      for (const { type, payload } of scriptReplies(prompt, script)) await driver.ingest(type, payload);
  }
  throw new Error(`no STOP after ${mostSteps} steps`);
};
