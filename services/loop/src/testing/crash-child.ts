/**
 * Drives a session for ever, telling each event it sends and each one that is acknowledged; somebody kills it. What was sent last
 * before a kill comes back as the second argument and is sent again first, as a careful client would.
 *
 * Arguments: the project's folder, the last unacknowledged event as JSON or "".
 */
import { writeSync } from "node:fs";
import { DirectClient } from "../direct-client.ts";
import { randomIds } from "../random-id.ts";
import { shortHash } from "../text-hash.ts";
import { answers } from "./scripted-model.ts";

/** An event on its way. */
export interface Sent {
  readonly id: string;
  readonly type: Parameters<DirectClient["ingestEvent"]>[0];
  readonly payload: Readonly<Record<string, unknown>>;
}

const [, , folder = "", again = ""] = process.argv;

const tell = (word: "ready" | "sent" | "ack", value: unknown): void => {
  writeSync(1, `${word} ${JSON.stringify(value)}\n`);
};

/** Titles that no duplicate filter takes for one another. */
const freshTitle = (): string =>
  shortHash(randomIds()).replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));

const client = await DirectClient.create({ projectPath: folder });

const send = async ({ id, type, payload }: Sent): Promise<void> => {
  tell("sent", { id, type, payload });
  await client.ingestEvent(type, payload, id);
  tell("ack", id);
};

if (client.getState() === null)
  client.startSession({
    step_budget: 100_000,
    ticket_step_budget: 100_000,
    max_cycles: 999,
    max_proposals: 3,
    spindle: { stall: 0 },
  });
tell("ready", process.pid);
if (again !== "") await send(JSON.parse(again) as Sent);

for (;;) {
  const { prompt } = await client.advance();
  const titles = [freshTitle(), freshTitle()];
  const known = /: ([a-z]{12})$/m.exec(prompt ?? "")?.[1];
  for (const reply of answers(prompt ?? "", { titles: known === undefined ? titles : [known], folder }))
    await send({ id: `evt_${randomIds()}`, type: reply.type as Sent["type"], payload: reply.payload });
}
