/**
 * What lazy upstreams have listed, kept over restarts, so that their tools are there before they are: one JSON file, readable by its owner
 * alone, replaced whole. It is a copy: one that cannot be read, or that is of another target, is as good as none. What it holds is judged
 * like any list, by the same pins.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Target } from "./core/target.ts";

export interface ListStore {
  /** The list that this target gave last. */
  of(connection: string, target: Target): readonly unknown[] | undefined;
  keep(connection: string, target: Target, list: readonly unknown[]): void;
}

const shape = z.record(z.string(), z.object({ target: z.string(), sha256: z.string(), tools: z.array(z.unknown()) }));

type Kept = z.output<typeof shape>;

/** Characters of a list that is kept; a longer one is asked for at every start. */
const mostKept = 1_048_576;

/** @param folder made when something is first kept */
export const openLists = (folder: () => string): ListStore => {
  let all: Kept | undefined;
  const file = (): string => join(folder(), "tools.json");

  const load = (): Kept => {
    try {
      return shape.parse(JSON.parse(readFileSync(file(), "utf8")));
    } catch {
      return {};
    }
  };

  return {
    of: (connection, target) => {
      all ??= load();
      const kept = Object.hasOwn(all, connection) ? all[connection] : undefined;
      const isSame =
        kept?.target === digestOf(JSON.stringify(target)) && kept.sha256 === digestOf(JSON.stringify(kept.tools));
      return isSame ? kept.tools : undefined;
    },
    keep: (connection, target, list) => {
      all ??= load();
      const text = JSON.stringify(list);
      const { [connection]: before, ...others } = all;
      const now = { target: digestOf(JSON.stringify(target)), sha256: digestOf(text), tools: [...list] };
      if (before?.target === now.target && before.sha256 === now.sha256) return;
      all = text.length > mostKept ? others : { ...others, [connection]: now };
      const next = `${file()}.next`;
      writeFileSync(next, JSON.stringify(all), { mode: 0o600 });
      renameSync(next, file());
    },
  };
};

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
