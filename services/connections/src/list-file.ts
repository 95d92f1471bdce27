/**
 * What lazy upstreams have listed, kept over restarts, so that their tools are there before they are. It is a copy: one of another
 * target is as good as none. What it holds is judged like any list, by the same pins.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import type { Target } from "./core/target.ts";
import { keptFile, type Place } from "./kept-file.ts";

export interface ListStore {
  /** The list that this target gave last. */
  of(connection: string, target: Target): readonly unknown[] | undefined;
  keep(connection: string, target: Target, list: readonly unknown[]): void;
}

const schema = z.object({ target: z.string(), sha256: z.string(), tools: z.array(z.unknown()) });

/** Characters of a list that is kept; a longer one is asked for at every start. */
const mostKept = 1_048_576;

export const openLists = (place: Place): ListStore => {
  const file = keptFile("tools.json", schema, place);
  return {
    of: (connection, target) => {
      const kept = file.get(connection);
      const isSame = kept?.target === digestOf(target) && kept.sha256 === digestOf(kept.tools);
      return isSame ? kept.tools : undefined;
    },
    keep: (connection, target, list) => {
      const before = file.get(connection);
      const now = { target: digestOf(target), sha256: digestOf(list), tools: [...list] };
      if (before?.target === now.target && before.sha256 === now.sha256) return;
      if (JSON.stringify(list).length <= mostKept) file.set(connection, now);
      else if (before !== undefined) file.delete(connection);
    },
  };
};

const digestOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");
