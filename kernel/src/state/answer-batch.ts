/**
 * Writes of stored answers as they go to the thread that makes them: one list of texts and numbers, since each object of its own costs both threads more than what
 * is in it. Pure. Not here: what becomes of them (`answer-table.ts`).
 */
import type { AnswerWrite } from "./state-write.ts";

/** The kinds, by their number in a batch. */
const kinds = ["claim", "answer", "finish", "release"] as const satisfies readonly AnswerWrite["kind"][];

/** As JSON: a string is copied as it is. */
export const packAnswers = (writes: readonly AnswerWrite[]): string => {
  const packed: (string | number)[] = [];
  for (const write of writes) {
    packed.push(kinds.indexOf(write.kind));
    if (write.kind === "answer") {
      packed.push(write.number, write.reply);
      continue;
    }
    const { principal, procedure, key } = write.use;
    packed.push(principal, procedure, key);
    if (write.kind === "claim") packed.push(write.use.input, write.number);
    else if (write.kind === "finish") packed.push(write.reply);
  }
  return JSON.stringify(packed);
};

/** What `packAnswers` has packed. */
export const unpackAnswers = (text: string): readonly AnswerWrite[] => {
  const packed: readonly (string | number)[] = JSON.parse(text);
  let at = 0;
  const next = (): string | number => packed[at++] ?? "";
  const number = (): number => Number(next());
  const word = (): string => String(next());
  const writes: AnswerWrite[] = [];
  while (at < packed.length) {
    const kind = kinds[number()];
    if (kind === "answer") {
      writes.push({ kind, number: number(), reply: word() });
      continue;
    }
    const key = { principal: word(), procedure: word(), key: word() };
    if (kind === "claim") writes.push({ kind, use: { ...key, input: word() }, number: number() });
    else if (kind === "finish") writes.push({ kind, use: key, reply: word() });
    else writes.push({ kind: "release", use: key });
  }
  return writes;
};
