/**
 * Stored answers of keyed procedures, in the kernel's database. What a method returns from has been committed. Answers go when they are old, by
 * a clock that only goes forward, whether or not anyone comes for more.
 *
 * Not here: opening the file (`state.ts`), and what an answer means (`policy/idempotency.ts`).
 */
import type Database from "better-sqlite3";
import type { Reply } from "../call/call.ts";
import type { Claim, KeyUse } from "../policy/idempotency.ts";

/** Milliseconds an answer is kept. */
export const answerLifetimeMs = 24 * 60 * 60 * 1_000;

/** Answers that one look takes. */
const batch = 1_000;

interface AnswerRow {
  readonly input: string;
  readonly reply: string | null;
}

/** How much may be kept. */
export interface AnswerLimits {
  /** Bytes of the file beyond which no new key is taken. */
  readonly mostBytes: number;
  /** Bytes of one principal's answers, likewise: one caller cannot take the room of all. */
  readonly mostOfOne: number;
}

/** Bytes that a row takes beside its texts. */
const rowBytes = 100;

export const makeAnswerStore = (database: Database.Database, now: () => number, limits: AnswerLimits) => {
  const expire = database.prepare(
    `DELETE FROM answers WHERE at < ? AND at <= (SELECT max(at) FROM (SELECT at FROM answers ORDER BY at LIMIT ${batch}))`,
  );
  const find = database.prepare<[string, string, string], AnswerRow>(
    "SELECT input, reply FROM answers WHERE principal = ? AND procedure = ? AND key = ?",
  );
  const claim = database.prepare(
    "INSERT INTO answers (principal, procedure, key, input, reply, at) VALUES (?, ?, ?, ?, NULL, ?)",
  );
  const finish = database.prepare("UPDATE answers SET reply = ? WHERE principal = ? AND procedure = ? AND key = ?");
  const release = database.prepare("DELETE FROM answers WHERE principal = ? AND procedure = ? AND key = ?");
  const identity = ({ principal, procedure, key }: KeyUse): [string, string, string] => [principal, procedure, key];
  const sizes = database.prepare<[], { readonly principal: string; readonly bytes: number }>(
    `SELECT principal, sum(length(key) + length(input) + coalesce(length(reply), 0) + ${rowBytes}) AS bytes FROM answers GROUP BY principal`,
  );
  /** Bytes of each principal's answers: all that is written is written here. */
  let kept = new Map<string, number>();
  const countAll = (): void => {
    kept = new Map(sizes.all().map(({ principal, bytes }) => [principal, bytes]));
  };
  const add = (principal: string, bytes: number): void => void kept.set(principal, (kept.get(principal) ?? 0) + bytes);
  countAll();
  const sweep = (): void => {
    if (expire.run(now() - answerLifetimeMs).changes > 0) countAll();
  };
  const pages = (name: string): number => Number(database.pragma(name, { simple: true }));
  const isFull = (): boolean =>
    (pages("page_count") - pages("freelist_count")) * pages("page_size") >= limits.mostBytes;
  const claimOrFind = database.transaction((use: KeyUse): Claim => {
    sweep();
    const row = find.get(...identity(use));
    if (row?.reply === null) return { tag: "pending", input: row.input };
    if (row !== undefined) return { tag: "answered", input: row.input, reply: JSON.parse(row.reply) as Reply };
    if (isFull() || (kept.get(use.principal) ?? 0) >= limits.mostOfOne) return "full";
    claim.run(...identity(use), use.input, now());
    add(use.principal, use.key.length + use.input.length + rowBytes);
    return "claimed";
  });
  return {
    claim: (use: KeyUse) => claimOrFind.immediate(use),
    finish: (use: KeyUse, reply: Reply): void => {
      const text = JSON.stringify(reply);
      finish.run(text, ...identity(use));
      add(use.principal, text.length);
    },
    release: (use: KeyUse): void => {
      const { reply } = find.get(...identity(use)) ?? {};
      release.run(...identity(use));
      add(use.principal, -(use.key.length + use.input.length + (reply?.length ?? 0) + rowBytes));
    },
    sweep,
  };
};
