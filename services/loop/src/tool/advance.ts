/** `advance`: takes one step and answers with a prompt, with prompts for parallel tickets, or with STOP. */

import type { SessionStepResult } from "../machine/machine.ts";
import { readCustomTools } from "../project/custom-tool.ts";
import { readGuidelines } from "../project/guideline.ts";
import { describeStack } from "../project/stack.ts";
import { type PromptReader, writePrompt } from "../prompt/prompt.ts";
import type { Project } from "../session/project.ts";
import { scanProject } from "../session/scan.ts";
import { describePause } from "../state/pause.ts";
import { isTerminal, type SessionPhase } from "../state/phase.ts";
import type { PromptKind } from "../state/prompt-kind.ts";
import type { RunState, TicketWork } from "../state/run-state.ts";
import { createDigest, ticketPolicy } from "../state/state-document.ts";
import { deriveSessionBounds } from "../ticket/policy.ts";
import type { TicketId } from "../value/id.ts";
import { ensureBaselines } from "../working-tree/measure.ts";
import { settleTrees } from "../working-tree/settle-tree.ts";
import { toMutable } from "./mutable.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";
import { readScoutFacts } from "./scout-facts.ts";

type AdvanceInput = ToolInput<"advance">;
type AdvanceOutput = ToolOutput<"advance">;

/** What is stored with the event: which prompts were handed out, not their text. */
interface AdvanceNote {
  readonly phase: SessionPhase;
  readonly prompts: readonly { readonly prompt: PromptKind; readonly ticketId: TicketId | null }[];
  readonly reason: string;
}

export const advance = async (
  project: Project,
  { event_id }: AdvanceInput,
  reader: PromptReader = "caller",
): Promise<AdvanceOutput> => {
  await settleTrees(project);
  const { answer, state } = await project.send({ type: "ADVANCE_CALLED", payload: {}, id: event_id }, createNote);
  await settleTrees(project);
  await ensureBaselines(project, state);
  const reply = await createReply(project, state, { ...answer, reader });
  await keepPrompts(project, state, { reply, prompts: answer.prompts });
  return reply;
};

/** What is handed out is kept with the run before it is: people can read what an agent was given. */
const keepPrompts = async (
  project: Project,
  { runId, stepCount }: RunState,
  { reply, prompts }: Pick<AdvanceNote, "prompts"> & { readonly reply: AdvanceOutput },
): Promise<void> => {
  const findKind = (id: string | null) =>
    prompts.find(({ ticketId }) => id === null || ticketId === id)?.prompt ?? "plan";
  const keep = (id: string | null, body: string) => {
    const path = `prompts/${stepCount}-${findKind(id)}${id === null ? "" : `-${id}`}.md`;
    return project.keepFile(runId, { path, body });
  };
  if (reply.prompt !== null) await keep(prompts[0]?.ticketId ?? null, reply.prompt);
  for (const { ticket_id, prompt } of reply.parallel_tickets ?? []) await keep(ticket_id, prompt);
};

const createNote = ({ state, effects, message }: SessionStepResult): AdvanceNote => {
  const prompts = effects.flatMap((effect) =>
    effect.kind === "prompt" ? [{ prompt: effect.prompt, ticketId: effect.ticketId }] : [],
  );
  const reason = isTerminal(state.phase) ? (state.stopReason ?? message) : reasonFor(prompts[0]?.prompt, state);
  return { phase: state.phase, prompts, reason };
};

const reasons: Readonly<Record<PromptKind, string>> = {
  scout: "no ticket is ready: look for improvements",
  "scout-retry": "the last try gave no ticket: look again",
  review: "proposals wait for their review",
  plan: "the ticket needs a plan",
  execute: "the ticket is to be done",
  qa: "the result is to be verified",
  pr: "the ticket is verified and needs its pull request",
};

const reasonFor = (kind: PromptKind | undefined, state: RunState): string =>
  state.pause !== null ? describePause(state.pause) : reasonForPrompt(kind, state);

const reasonForPrompt = (kind: PromptKind | undefined, state: RunState): string =>
  state.phase === "PARALLEL_EXECUTE"
    ? `${state.workers.length} tickets can be worked on at the same time`
    : kind === undefined
      ? (state.current?.heldPlan ?? null) === null
        ? "nothing is to be done"
        : "the plan has a high risk and waits for a person: fairlead session approve, or reject"
      : reasons[kind];

type PromptNote = AdvanceNote & { readonly reader: PromptReader };

const createReply = async (project: Project, state: RunState, note: PromptNote): Promise<AdvanceOutput> => {
  const common = {
    phase: state.phase,
    reason: note.reason,
    digest: toMutable(createDigest(state, project.options.clock())),
  };
  if (isTerminal(state.phase)) return { ...common, next_action: "STOP", prompt: null, constraints: null };
  const context = await readPromptContext(project, state, note);
  if (state.pause !== null) return { ...common, next_action: "WAIT", prompt: null, constraints: null };
  if (state.phase === "PARALLEL_EXECUTE")
    return {
      ...common,
      next_action: "PARALLEL_EXECUTE",
      prompt: null,
      constraints: null,
      parallel_tickets: note.prompts.flatMap(({ prompt, ticketId }) => {
        const worker = state.workers.find(({ ticket }) => ticket.id === ticketId);
        return worker === undefined
          ? []
          : [
              {
                ticket_id: worker.ticket.id,
                title: worker.ticket.title,
                phase: worker.phase,
                prompt: writePrompt(prompt, { ...state, current: worker }, context),
                constraints: createConstraints(state, worker),
              },
            ];
      }),
    };
  if ((state.current?.heldPlan ?? null) !== null)
    return { ...common, next_action: "WAIT", prompt: null, constraints: null };
  const [first] = note.prompts;
  const isCurrent = first !== undefined && note.phase === state.phase;
  return {
    ...common,
    next_action: "PROMPT",
    prompt: isCurrent ? writePrompt(first.prompt, state, context) : null,
    constraints: state.current === null ? sessionConstraints(state) : createConstraints(state, state.current),
  };
};

const readPromptContext = async (project: Project, { settings }: RunState, { prompts, reader }: PromptNote) => {
  const scouting = prompts.some(({ prompt }) => prompt === "scout" || prompt === "scout-retry");
  const scan = scouting ? await scanProject(project) : undefined;
  return {
    guidelines: readGuidelines(project.root, settings.client, settings.guidelines),
    reader,
    facts: scan === undefined ? [] : await readScoutFacts(project, settings, scan.files.length),
    measured: project.git !== undefined,
    tools: settings.customTools ? readCustomTools(project.home).tools : [],
    metadata: scan === undefined ? "" : describeStack(scan.detected),
  };
};

/** What a scout may propose. */
const sessionConstraints = ({ settings }: RunState) => ({
  ...toMutable(deriveSessionBounds(settings.scope)),
  required_commands: [...settings.qaCommands],
});

const createConstraints = (state: RunState, work: TicketWork) => {
  const { category: _, named_files: __, ...policy } = toMutable(ticketPolicy(state, work));
  return { ...policy, required_commands: [...work.ticket.verificationCommands] };
};
