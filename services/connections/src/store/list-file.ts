/**
 * What upstreams have listed, kept over restarts, so that their tools are there before they are. It is a copy: one of another target
 * is as good as none. What it holds is judged like any list, by the same pins.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import type { Target } from "../machine/target.ts";
import { openJsonFile, type StoreLocation } from "./json-file.ts";

export interface ListStore {
  /** The list that this target gave last. */
  read(connection: string, target: Target): readonly unknown[] | undefined;
  write(connection: string, target: Target, list: readonly unknown[]): void;
}

const schema = z.object({ target: z.string(), sha256: z.string(), tools: z.array(z.unknown()) });

/** Characters of a list that is kept; a longer one is read again at every start. */
const mostKept = 1_048_576;

export const openLists = (place: StoreLocation): ListStore => {
  const file = openJsonFile("tools.json", schema, place);
  return {
    read: (connection, target) => {
      const kept = file.get(connection);
      const isSame = kept?.target === hashTarget(target) && kept.sha256 === hash(JSON.stringify(kept.tools));
      return isSame ? kept.tools : undefined;
    },
    write: (connection, target, list) => {
      const text = JSON.stringify(list);
      const before = file.get(connection);
      const now = { target: hashTarget(target), sha256: hash(text), tools: [...list] };
      if (before?.target === now.target && before.sha256 === now.sha256) return;
      file.set(connection, text.length > mostKept ? undefined : now);
    },
  };
};

/** Of the target as lists were first stored with it, when `awaitsApproval` was named `held`: those lists are still good. */
const hashTarget = (target: Target): string => {
  const fields = Object.entries(target).map(([name, value]) => [name === "awaitsApproval" ? "held" : name, value]);
  return hash(JSON.stringify(Object.fromEntries(fields)));
};

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
