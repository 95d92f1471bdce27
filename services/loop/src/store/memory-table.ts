/** What a project remembers from session to session: lessons, titles that were proposed, proposals outside the scope, and tickets that were not done. */
import * as z from "zod";
import type { Lesson } from "../memory/lesson.ts";
import type { SeenTitle } from "../memory/title.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { SqliteConnection } from "./database.ts";
import { decodeStored } from "./stored-event.ts";
import { lesson, proposal, seenTitle } from "./stored-shape.ts";

export interface ProjectMemory {
  readonly learnings: readonly Lesson[];
  readonly remembered: readonly SeenTitle[];
  readonly deferred: readonly Proposal[];
  /** What sessions that carry their backlog had not done. */
  readonly backlog: readonly Proposal[];
}

export const openMemoryTable = (db: SqliteConnection) => {
  const get = db.prepare<[string], { body: string }>("SELECT body FROM memory WHERE name = ?");
  const put = db.prepare(
    "INSERT INTO memory (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body",
  );
  const list = <S extends z.ZodType>(name: keyof ProjectMemory, shape: S): readonly z.output<S>[] => {
    const row = get.get(name);
    return row === undefined ? [] : decodeStored(z.array(shape), row.body, `the memory of ${name}`);
  };
  return {
    read: (): ProjectMemory => ({
      learnings: list("learnings", lesson),
      remembered: list("remembered", seenTitle),
      deferred: list("deferred", proposal),
      backlog: list("backlog", proposal),
    }),
    save: (memory: Partial<ProjectMemory>): void => {
      for (const [name, items] of Object.entries(memory)) put.run(name, JSON.stringify(items));
    },
  };
};
