/**
 * Drives a session for ever, telling each step and event it sends and each one that is acknowledged; somebody kills it. What was
 * sent last before a kill comes back as the second argument and is sent again first, as a careful client would.
 *
 * Arguments: the project's folder, what was sent and not acknowledged as JSON or "". Without any it only loads and ends, which
 * fills the compile cache: a process that is killed never writes it.
 */
import { writeSync } from "node:fs";
import { DirectClient } from "../direct-client.ts";
import { randomIds } from "../random-id.ts";
import { shortHash } from "../text-hash.ts";
import { answers } from "./scripted-model.ts";

/** Something on its way; `ADVANCE` is a call of advance, all others are events. */
export interface Sent {
  readonly id: string;
  readonly type: "ADVANCE" | Parameters<DirectClient["ingestEvent"]>[0];
  readonly payload: Readonly<Record<string, unknown>>;
}

const [, , folder = "", again = ""] = process.argv;

const tell = (word: "ready" | "sent" | "ack", value: unknown): void => {
  writeSync(1, `${word} ${JSON.stringify(value)}\n`);
};

/** Titles that no duplicate filter takes for one another. */
const freshTitle = (): string =>
  shortHash(randomIds()).replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));

if (folder === "") process.exit();
tell("ready", process.pid);
const client = await DirectClient.create({ projectPath: folder });

/** Gives the prompt of an `ADVANCE`, "" for the rest. */
const send = async (sent: Sent): Promise<string> => {
  tell("sent", sent);
  const reply = await (sent.type === "ADVANCE"
    ? client.advance({ event_id: sent.id })
    : client.ingestEvent(sent.type, sent.payload, sent.id));
  tell("ack", sent.id);
  return ("prompt" in reply ? reply.prompt : null) ?? "";
};

if (client.getState() === null)
  client.startSession({
    step_budget: 100_000,
    ticket_step_budget: 100_000,
    max_cycles: 999,
    max_proposals: 3,
    spindle: { stall: 0 },
  });
if (again !== "") await send(JSON.parse(again) as Sent);

for (;;) {
  const prompt = await send({ id: `evt_${randomIds()}`, type: "ADVANCE", payload: {} });
  const titles = [freshTitle(), freshTitle()];
  const known = /: ([a-z]{12})$/m.exec(prompt)?.[1];
  for (const reply of answers(prompt, { titles: known === undefined ? titles : [known], folder }))
    await send({ id: `evt_${randomIds()}`, type: reply.type as Sent["type"], payload: reply.payload });
}
