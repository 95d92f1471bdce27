/**
 * Drives sessions that own their working tree for ever, and reports a line after each call, until it is killed. Argument: the project's
 * folder; without one it only loads and ends. A third of the tickets fails.
 */
import { writeSync } from "node:fs";
import { DirectClient } from "../direct-client.ts";
import { shortHash } from "../value/hash.ts";
import { randomIds } from "../value/random-id.ts";
import { scriptReplies } from "./scripted-model.ts";

const [, , folder = ""] = process.argv;
if (folder === "") process.exit();

const freshTitle = (): string =>
  shortHash(randomIds()).replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));

const client = await DirectClient.create({ projectPath: folder });
const report = (): void => {
  writeSync(1, "step\n");
};
const never = { stall: 0, oscillation: 0, repetition: 0, ping_pong: 0, repeated_failure: 0 };
for (;;) {
  if (client.getState() === null)
    client.startSession({
      own_tree: true,
      step_budget: 100_000,
      ticket_step_budget: 100_000,
      max_cycles: 999,
      spindle: never,
    });
  const { prompt } = await client.advance();
  report();
  const known = /: ([a-z]{12})$/m.exec(prompt ?? "")?.[1];
  const titles = known === undefined ? [freshTitle(), freshTitle()] : [known];
  for (const { type, payload } of scriptReplies(prompt ?? "", { titles, folder })) {
    const fails = type === "TICKET_RESULT" && Number.parseInt(randomIds().slice(0, 4), 36) % 3 === 0;
    await client.ingestEvent(type as Parameters<DirectClient["ingestEvent"]>[0], {
      ...payload,
      ...(fails && { status: "failed" }),
    });
    report();
  }
}
