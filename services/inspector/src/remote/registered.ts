/** This process, when a program in it has called `inspect`. */
import { type Answer, type Asker, answerOf } from "../asker.ts";
import type { Attached } from "../host.ts";
import { inspectionSlot } from "../slot.ts";
import type { Reply, Tool } from "../worker-message.ts";

/** What `inspect` left in this process. */
const attached = (): Attached | undefined => {
  const found = Object.getOwnPropertyDescriptor(globalThis, inspectionSlot);
  return found?.value as Attached | undefined;
};

/** Asks in this thread: the objects are here and can not be anywhere else. */
export const registered: Asker = {
  ask: (tool: Tool, input: unknown): Promise<Answer> => {
    const found = attached();
    if (found === undefined)
      return Promise.resolve({ kind: "gone", why: "no program in this process has called inspect({ … })" });
    return Promise.resolve(answerOf(JSON.parse(found.answer(JSON.stringify({ id: 0, tool, input }))) as Reply));
  },
  close: () => Promise.resolve(),
};
