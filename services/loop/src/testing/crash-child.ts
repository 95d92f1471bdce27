/**
 * Drives sessions for ever with every tool that changes one, reporting each call that it sends and what each reply guarantees, until it is
 * killed. What was sent last before a kill comes back as the second argument and is sent again first, as a careful client would.
 *
 * Arguments: the project's folder, what was sent and not acknowledged as JSON or "". Without any it only loads and ends, which
 * fills the compile cache: a process that is killed never writes it.
 */

import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Project } from "../session/project.ts";
import { surveyProject } from "../session/scan.ts";
import { advance } from "../tool/advance.ts";
import { completeTicket } from "../tool/complete-ticket.ts";
import { endSession } from "../tool/end-session.ts";
import { ingestEvent, nudge } from "../tool/ingest-event.ts";
import type { ToolInput } from "../tool/procedure.ts";
import { startSession } from "../tool/start-session.ts";
import { failTicket, gitSetup, nextTicket } from "../tool/ticket.ts";
import { shortHash } from "../value/hash.ts";
import { randomIds } from "../value/random-id.ts";
import { scriptReplies } from "./scripted-model.ts";

/** What a reply guarantees: a recorded event, a completed ticket (by the event of the call), a taken ticket, a branch that is there. */
export interface Guarantee {
  readonly kind: "event" | "completion" | "ticket" | "branch";
  readonly id: string;
}

/** A call on its way; those without an `event_id` are harmless to repeat. */
type OpenCall =
  | { readonly tool: "startSession"; readonly input: ToolInput<"startSession"> }
  | { readonly tool: "advance"; readonly input: ToolInput<"advance"> }
  | { readonly tool: "ingestEvent"; readonly input: ToolInput<"ingestEvent"> }
  | { readonly tool: "nudge"; readonly input: ToolInput<"nudge"> }
  | { readonly tool: "nextTicket"; readonly input: ToolInput<"nextTicket"> }
  | { readonly tool: "gitSetup"; readonly input: ToolInput<"gitSetup"> }
  | { readonly tool: "completeTicket"; readonly input: ToolInput<"completeTicket"> }
  | { readonly tool: "failTicket"; readonly input: ToolInput<"failTicket"> }
  | { readonly tool: "endSession"; readonly input: ToolInput<"endSession"> };

const [, , folder = "", again = ""] = process.argv;

const report = (word: "ready" | "sent" | "ack", value: unknown): void => {
  writeSync(1, `${word} ${JSON.stringify(value)}\n`);
};

/** Titles that no duplicate filter takes for one another. */
const freshTitle = (): string =>
  shortHash(randomIds()).replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));

const freshId = (): { readonly event_id: string } => ({ event_id: `evt_${randomIds()}` });

/** True once in so many times. */
const once = (times: number): boolean => Number.parseInt(randomIds().slice(0, 6), 36) % times === 0;

if (folder === "") process.exit();
report("ready", process.pid);
const project = new Project("default", folder, {
  clock: Date.now,
  ids: randomIds,
  warn: () => undefined,
  qaEnvironment: [],
  qaTimeLimitMs: 60_000,
});
const hasGit = existsSync(join(folder, ".git"));
const commands = ["make"];

interface CallReply {
  readonly guarantee: Guarantee | undefined;
  /** That of an advance. */
  readonly prompt?: string | null;
}

const eventGuarantee = (id: string | undefined): Guarantee | undefined =>
  id === undefined ? id : { kind: "event", id };

const call = async ({ tool, input }: OpenCall): Promise<CallReply> => {
  switch (tool) {
    case "startSession":
      startSession(project, input, await surveyProject(project));
      return { guarantee: eventGuarantee(input.event_id) };
    case "advance": {
      const { prompt } = await advance(project, input);
      return { guarantee: eventGuarantee(input.event_id), prompt };
    }
    case "ingestEvent":
      await ingestEvent(project, input);
      return { guarantee: eventGuarantee(input.event_id) };
    case "nudge":
      await nudge(project, input);
      return { guarantee: eventGuarantee(input.event_id) };
    case "nextTicket": {
      const { ticketId } = await nextTicket(project);
      return { guarantee: ticketId === null ? undefined : { kind: "ticket", id: ticketId } };
    }
    case "gitSetup": {
      const { branchName } = await gitSetup(project, input);
      return { guarantee: { kind: "branch", id: branchName } };
    }
    case "completeTicket": {
      const { success } = await completeTicket(project, input);
      return { guarantee: success ? { kind: "completion", id: input.event_id ?? "" } : undefined };
    }
    case "failTicket":
      await failTicket(project, input);
      return { guarantee: eventGuarantee(input.event_id) };
    case "endSession":
      await endSession(project, input);
      return { guarantee: eventGuarantee(input.event_id) };
  }
};

/** Gives the prompt of an advance, "" for the rest. */
const send = async (sent: OpenCall): Promise<string> => {
  report("sent", sent);
  const reply = await call(sent);
  report("ack", reply.guarantee ?? null);
  return reply.prompt ?? "";
};

const settings = {
  step_budget: 100_000,
  ticket_step_budget: 100_000,
  max_cycles: 999,
  max_proposals: 3,
  spindle: { stall: 0, oscillation: 0, repetition: 0, ping_pong: 0, repeated_failure: 0 },
};

if (again !== "") await send(JSON.parse(again) as OpenCall);

for (;;) {
  const state = project.peek();
  if (state === undefined) {
    await send({ tool: "startSession", input: { ...settings, ...freshId() } });
    continue;
  }
  const { current, runId } = state;
  const named = current === null ? undefined : { ticketId: current.ticket.id, runId };
  if (once(8)) await send({ tool: "nudge", input: { hint: `look at ${freshTitle()}`, ...freshId() } });
  if (named !== undefined && once(20)) {
    await send({ tool: "failTicket", input: { ...named, reason: "too hard", ...freshId() } });
    continue;
  }
  if (once(60)) {
    await send({ tool: "endSession", input: freshId() });
    continue;
  }
  if (named !== undefined && hasGit && once(6))
    await send({ tool: "gitSetup", input: { ticketId: named.ticketId, baseBranch: undefined, project: undefined } });
  if (state.phase === "NEXT_TICKET" && once(2)) {
    await send({ tool: "nextTicket", input: { project: undefined } });
    continue;
  }
  if (named !== undefined && state.phase === "QA" && once(2)) {
    await send({ tool: "completeTicket", input: { ...named, ...freshId() } });
    continue;
  }
  const prompt = await send({ tool: "advance", input: freshId() });
  const titles = [freshTitle(), freshTitle()];
  const known = /: ([a-z]{12})$/m.exec(prompt)?.[1];
  for (const { type, payload } of scriptReplies(prompt, {
    titles: known === undefined ? titles : [known],
    folder,
    commands,
  })) {
    // Half of the tickets in QA are left to complete_ticket.
    if (type.startsWith("QA_") && once(2)) break;
    await send({
      tool: "ingestEvent",
      input: { type: type as ToolInput<"ingestEvent">["type"], payload, ...freshId() },
    });
  }
}
