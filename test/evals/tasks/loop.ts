/** Tasks for the loop: sessions that improve a repository. Each has a repository of its own, which is named in `projects`. */
import type { EvalTask, ExpectedCall, Step } from "../task.ts";
import { single } from "../task.ts";

const seekStart = "improve this code repository: scout and make tickets";

interface Session {
  readonly ask: string;
  readonly next: readonly (Step & { readonly where?: ExpectedCall["where"] })[];
  readonly forbid?: readonly string[];
  readonly answer: readonly RegExp[];
}

/** A session that is begun, and what is done in it. */
const session = (project: string, { ask, next, forbid, answer }: Session): EvalTask => ({
  group: "loop",
  id: project,
  ask: `Begin improving the code of the project ${project}. ${ask}`,
  expect: [
    { tool: "promptwheel_start_session", where: { project: new RegExp(project) } },
    ...next.map(({ tool, where }) => ({ tool, ...(where !== undefined && { where }) })),
  ],
  ...(forbid !== undefined && { forbid }),
  answer,
  script: [{ tool: "promptwheel_start_session", input: { project }, seek: seekStart }, ...next],
});

const finding = {
  category: "fix",
  title: "Close the file",
  description: "Close the file: it is left open",
  files: ["src/close.ts"],
  confidence: 80,
  impact_score: 7,
  acceptance_criteria: ["It is closed"],
  verification_commands: ["npm test"],
};

const advance = (project: string): Step => ({
  tool: "promptwheel_advance",
  input: { project },
  seek: "what should I do next in the improvement session",
});

const report = (project: string): Step => ({
  tool: "promptwheel_ingest_event",
  input: { project, type: "SCOUT_OUTPUT", payload: { proposals: [finding] } },
  seek: "report the proposals that scouting found",
});

export const loopTasks: readonly EvalTask[] = [
  single("loop", "kinds-of-improvement", {
    ask: "What kinds of improvement of a repository are there ready-made?",
    call: {
      tool: "promptwheel_list_formulas",
      input: { project: "shop" },
      seek: "what kinds of improvement can a session make",
    },
    forbid: ["promptwheel_start_session"],
    answer: [/cleanup/, /docs/],
  }),
  single("loop", "shop", {
    ask: "Begin improving the code of the project shop, but only files below src. How is the run called?",
    call: { tool: "promptwheel_start_session", input: { project: "shop", scope: "src/**" }, seek: seekStart },
    where: { project: /shop/, scope: /src/ },
    answer: [/run_|ses_|\w+_[0-9a-z]{6,}/],
  }),
  session("api", {
    ask: "What is to be done first?",
    next: [{ ...advance("api"), where: { project: /api/ } }],
    answer: [/scout/i],
  }),
  session("blog", {
    ask: "How many steps of its budget are left?",
    next: [
      {
        tool: "promptwheel_session_status",
        input: { project: "blog" },
        seek: "how much budget has the session left",
      },
    ],
    forbid: ["promptwheel_advance"],
    answer: [/200/],
  }),
  session("site", {
    ask: "Let whoever looks for work next know that the tests need a look.",
    next: [
      {
        tool: "promptwheel_nudge",
        input: { project: "site", hint: "look at the tests" },
        where: { hint: /test/i },
        seek: "hint to the next scouting that it should look at the tests",
      },
    ],
    answer: [/hint|test|taken|noted/i],
  }),
  session("app", {
    ask: "No, not today: finish right away, with the summary.",
    next: [
      {
        tool: "promptwheel_end_session",
        input: { project: "app" },
        seek: "finish the improvement session with a summary",
      },
    ],
    answer: [/ticket|summary|step|done/i],
  }),
  session("store", {
    ask: `Take its first step, and hand in what you found: ${JSON.stringify(finding)}. What comes then?`,
    next: [advance("store"), { ...report("store"), where: { type: /SCOUT_OUTPUT/, payload: /Close the file/ } }],
    answer: [/phase|ticket|plan|next/i],
  }),
  session("wiki", {
    ask: `Take its first step, and hand in what you found: ${JSON.stringify(finding)}. Take the next step, and say which files may be touched for the piece of work.`,
    next: [
      advance("wiki"),
      { ...report("wiki"), where: { type: /SCOUT_OUTPUT/ } },
      advance("wiki"),
      {
        tool: "promptwheel_get_scope_policy",
        input: { project: "wiki" },
        seek: "which files may I touch for the current ticket",
      },
    ],
    answer: [/src\/close\.ts/],
  }),
];

/** Every project that a task names. */
export const projects = ["shop", "api", "blog", "site", "app", "store", "wiki"] as const;
