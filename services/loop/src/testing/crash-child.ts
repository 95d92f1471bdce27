/**
 * Drives sessions for ever with every tool that changes one, telling each call it sends and each one that is acknowledged; somebody
 * kills it. What was sent last before a kill comes back as the second argument and is sent again first, as a careful client would.
 *
 * Arguments: the project's folder, what was sent and not acknowledged as JSON or "". Without any it only loads and ends, which
 * fills the compile cache: a process that is killed never writes it.
 */
import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { HandlerInput } from "@fairlead/contracts";
import type { loop } from "@fairlead/contracts/loop";
import { randomIds } from "../random-id.ts";
import { advance } from "../session/advance.ts";
import { completeTicket } from "../session/completion.ts";
import { endSession } from "../session/end.ts";
import { ingestEvent, nudge } from "../session/ingest.ts";
import { Project } from "../session/project.ts";
import { scanProject } from "../session/scan.ts";
import { startSession } from "../session/start.ts";
import { failTicket } from "../session/ticket.ts";
import { shortHash } from "../text-hash.ts";
import { answers } from "./scripted-model.ts";

type In<N extends keyof typeof loop.procedures> = HandlerInput<(typeof loop.procedures)[N]>;

/** A call on its way; each has an `event_id`. */
type Sent =
  | { readonly tool: "startSession"; readonly input: In<"startSession"> }
  | { readonly tool: "advance"; readonly input: In<"advance"> }
  | { readonly tool: "ingestEvent"; readonly input: In<"ingestEvent"> }
  | { readonly tool: "nudge"; readonly input: In<"nudge"> }
  | { readonly tool: "completeTicket"; readonly input: In<"completeTicket"> }
  | { readonly tool: "failTicket"; readonly input: In<"failTicket"> }
  | { readonly tool: "endSession"; readonly input: In<"endSession"> };

const [, , folder = "", again = ""] = process.argv;

const tell = (word: "ready" | "sent" | "ack", value: unknown): void => {
  writeSync(1, `${word} ${JSON.stringify(value)}\n`);
};

/** Titles that no duplicate filter takes for one another. */
const freshTitle = (): string =>
  shortHash(randomIds()).replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));

const freshId = (): { readonly event_id: string } => ({ event_id: `evt_${randomIds()}` });

/** True once in so many times. */
const once = (times: number): boolean => Number.parseInt(randomIds().slice(0, 6), 36) % times === 0;

if (folder === "") process.exit();
tell("ready", process.pid);
const project = new Project("default", folder, {
  clock: Date.now,
  ids: randomIds,
  warn: () => undefined,
  qaEnvironment: [],
  qaTimeLimitMs: 60_000,
});
/** Commands are run where there is git, and a Makefile. */
const commands = existsSync(join(folder, ".git")) ? ["make"] : [];

const call = async ({ tool, input }: Sent): Promise<object> => {
  switch (tool) {
    case "startSession":
      return startSession(project, input, await scanProject(project));
    case "advance":
      return advance(project, input);
    case "ingestEvent":
      return ingestEvent(project, input);
    case "nudge":
      return nudge(project, input);
    case "completeTicket":
      return completeTicket(project, input);
    case "failTicket":
      return failTicket(project, input);
    case "endSession":
      return endSession(project, input);
  }
};

/** Gives the prompt of an advance, "" for the rest. */
const send = async (sent: Sent): Promise<string> => {
  tell("sent", sent);
  const reply = await call(sent);
  tell("ack", sent.input.event_id);
  return "prompt" in reply && typeof reply.prompt === "string" ? reply.prompt : "";
};

const settings = {
  step_budget: 100_000,
  ticket_step_budget: 100_000,
  max_cycles: 999,
  max_proposals: 3,
  spindle: { stall: 0, oscillation: 0, repetition: 0, ping_pong: 0, repeated_failure: 0 },
};

if (again !== "") await send(JSON.parse(again) as Sent);

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
  if (named !== undefined && commands.length > 0 && state.phase === "QA" && once(2)) {
    await send({ tool: "completeTicket", input: { ...named, ...freshId() } });
    continue;
  }
  const prompt = await send({ tool: "advance", input: freshId() });
  const titles = [freshTitle(), freshTitle()];
  const known = /: ([a-z]{12})$/m.exec(prompt)?.[1];
  for (const { type, payload } of answers(prompt, {
    titles: known === undefined ? titles : [known],
    folder,
    commands,
  })) {
    // Half of the tickets in QA are left to complete_ticket.
    if (type.startsWith("QA_") && commands.length > 0 && once(2)) break;
    await send({ tool: "ingestEvent", input: { type: type as In<"ingestEvent">["type"], payload, ...freshId() } });
  }
}
