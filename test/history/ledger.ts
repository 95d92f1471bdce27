/**
 * The service whose histories are judged: registers and lists by key, kept in memory and in a journal that is on the disk before a change is answered. It is a
 * plain service with state of its own: what keeps its keys in one place at a time is the kernel's work.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { defineContract, mutation, query } from "@fairlead/contracts";
import { defineService } from "@fairlead/kernel/service";
import * as z from "zod";

const sync = promisify(fdatasync);

const key = z.object({ key: z.string() });
const change = z.object({ key: z.string(), value: z.string() });
const placement = { keyedBy: "key" } as const;
/** Short, so that a process that is paused is found. */
const policy = { deadlineMs: 2_000 } as const;

export const ledger = defineContract({
  id: "ledger",
  version: "1.0.0",
  summary: "Registers and lists.",
  procedures: {
    write: mutation({
      summary: "Writes a register.",
      placement,
      policy,
      input: change,
      output: z.null(),
      retry: "unsafe",
    }),
    read: query({ summary: "What a register holds.", placement, policy, input: key, output: z.string() }),
    append: mutation({
      summary: "Appends to a list; how long it is then.",
      placement,
      policy: { ...policy, retry: { attempts: 3 } },
      input: change,
      output: z.int(),
      retry: "keyed",
    }),
    list: query({ summary: "What a list holds.", placement, policy, input: key, output: z.array(z.string()) }),
  },
});

/** The end of a value with whose first appending its process ends, so that it has happened and is not answered. */
export const deadly = "!";

interface Entry {
  readonly kind: "write" | "append";
  readonly key: string;
  readonly value: string;
}

/** The entries that are whole: the last one may have been cut off. */
const readEntries = (file: string): readonly Entry[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line) => {
          try {
            return [JSON.parse(line) as Entry];
          } catch {
            return [];
          }
        })
    : [];

export default defineService(ledger, (host) => {
  // Workers of one place that share a disk share its journal.
  const folder = host.env.LEDGER_FOLDER ?? host.stateDir();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "journal");
  const registers = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const apply = ({ kind, key: name, value }: Entry): number => {
    if (kind === "write") registers.set(name, value);
    else lists.set(name, [...(lists.get(name) ?? []), value]);
    return lists.get(name)?.length ?? 0;
  };
  for (const entry of readEntries(file)) apply(entry);
  appendFileSync(file, "\n");
  const journal = openSync(file, "a");
  /** It has happened before it is answered, and the answer takes its time: a process can be killed in between. */
  const commit = async (entry: Entry): Promise<number> => {
    await turn();
    writeSync(journal, `${JSON.stringify(entry)}\n`);
    const isFirst = lists.get(entry.key)?.includes(entry.value) !== true;
    const length = apply(entry);
    if (isFirst && entry.value.endsWith(deadly)) process.kill(process.pid, "SIGKILL");
    await sync(journal);
    return length;
  };
  return {
    handlers: {
      write: async ({ key: name, value }) => {
        await commit({ kind: "write", key: name, value });
        return null;
      },
      read: async ({ key: name }) => {
        await turn();
        return registers.get(name) ?? "";
      },
      append: ({ key: name, value }) => commit({ kind: "append", key: name, value }),
      list: async ({ key: name }) => {
        await turn();
        return [...(lists.get(name) ?? [])];
      },
    },
    stop: () => closeSync(journal),
  };
});
