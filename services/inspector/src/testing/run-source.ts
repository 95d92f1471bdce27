/** Runs a question's source as another process would: in the global scope, with a library of its own. */
import { runInThisContext } from "node:vm";
import { library } from "../../gen/remote-library.ts";
import type { ReplyPart } from "../answer/reply-parts.ts";

interface RunningReply {
  next(ms: number): ReplyPart;
  end(): void;
}

const loaded = runInThisContext(`(() => {\n"use strict";\n${library}\nreturn library;\n})()`) as {
  openQuestion(source: string, library: unknown): RunningReply;
};

/** Starts the reply; nothing of it has run. */
export const openSource = (source: string): RunningReply => loaded.openQuestion(source, loaded);

/** The text of the reply, after as many slices as it takes. */
export const runSource = (source: string, sliceMs = 5): string => {
  const reply = openSource(source);
  for (let text = ""; ; ) {
    const part = reply.next(sliceMs);
    text += part.text;
    if (part.isLast) return text;
  }
};
