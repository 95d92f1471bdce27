/** A stand-in for the model: answers each prompt of the loop by a script and really edits the files. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

export interface LoopReply {
  readonly next_action: string;
  readonly phase: string;
  readonly prompt: string | null;
}

/** One way into a kernel: a procedure's name and its input. */
export type Ask = (procedure: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

const titles = ["Close the file", "Check the length"];

const fileOf = (title: string): string => `src/${title.toLowerCase().replaceAll(" ", "-")}.ts`;

type Report = readonly [type: string, payload: Readonly<Record<string, unknown>>];

const reports = (prompt: string, folder: string): readonly Report[] => {
  const ticket_id = /tkt_[0-9a-z]{12}/.exec(prompt)?.[0];
  const title = titles.find((one) => prompt.includes(one)) ?? "";
  const path = fileOf(title);
  if (prompt.includes("type `SCOUT_OUTPUT`")) return [["SCOUT_OUTPUT", { proposals: titles.map(proposal) }]];
  if (prompt.includes("type `PLAN_SUBMITTED`"))
    return [
      [
        "PLAN_SUBMITTED",
        {
          ticket_id,
          files_to_touch: [{ path, reason: "there", action: "edit" }],
          estimated_lines: 2,
          risk_level: "low",
        },
      ],
    ];
  if (prompt.includes("type `TICKET_RESULT`")) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    appendFileSync(join(folder, path), `// ${title}\n`);
    return [["TICKET_RESULT", { ticket_id, status: "done", changed_files: [path], lines_added: 1, lines_removed: 0 }]];
  }
  if (prompt.includes("type `QA_PASSED`"))
    return [
      ["QA_COMMAND_RESULT", { ticket_id, command: "npm test", success: true, output: "1 passed" }],
      ["QA_PASSED", { ticket_id, summary: "all good" }],
    ];
  return [["PR_CREATED", { ticket_id, url: "https://example.com/pr/1", branch: `promptwheel/${ticket_id}` }]];
};

const proposal = (title: string) => ({
  category: "fix",
  title,
  description: `${title}: it is broken`,
  files: [fileOf(title)],
  confidence: 80,
  impact_score: 7,
  acceptance_criteria: [`${title} is done`],
  verification_commands: ["npm test"],
});

/** Plays a whole session; gives the phases it saw. */
export const play = async (ask: Ask, folder: string): Promise<readonly string[]> => {
  await ask("startSession", { scope: "src/**", draft_prs: true });
  const seen: string[] = [];
  for (let step = 0; step < 50; step += 1) {
    const { next_action, phase, prompt } = (await ask("advance", {})) as LoopReply;
    seen.push(phase);
    if (next_action === "STOP") {
      await ask("endSession", {});
      return seen;
    }
    for (const [type, payload] of reports(prompt ?? "", folder)) await ask("ingestEvent", { type, payload });
  }
  throw new Error("no STOP after 50 steps");
};
