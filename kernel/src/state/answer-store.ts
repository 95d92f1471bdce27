/**
 * Stored answers of keyed procedures, in the kernel's database. What a method returns from has been committed. Answers go when they are old, by
 * a clock that only goes forward, whether or not anyone comes for more.
 *
 * Not here: opening the file (`state.ts`), and what an answer means (`policy/idempotency.ts`).
 */
import type Database from "better-sqlite3";
import { localPrincipal, type Reply } from "../call/call.ts";
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
  /** Bytes of one principal's answers, likewise: one caller cannot take the room of all. Not for the local one, which may be the only one. */
  readonly mostOfOne: number;
}

/** Bytes that a row takes beside its texts. */
const rowBytes = 100;

/** The bytes of a row, in SQL. */
const sizeOfRow = `octet_length(key) + octet_length(input) + coalesce(octet_length(reply), 0) + ${rowBytes}`;

interface SizeRow {
  readonly principal: string;
  readonly bytes: number;
}

export const makeAnswerStore = (database: Database.Database, now: () => number, limits: AnswerLimits) => {
  const expire = database.prepare<[number], SizeRow>(
    `DELETE FROM answers WHERE at < ? AND at <= (SELECT max(at) FROM (SELECT at FROM answers ORDER BY at LIMIT ${batch}))
     RETURNING principal, ${sizeOfRow} AS bytes`,
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
  const sizes = database.prepare<[], SizeRow>(
    `SELECT principal, sum(${sizeOfRow}) AS bytes FROM answers GROUP BY principal`,
  );
  /** Bytes of each principal's answers, counted when they are first asked for: from then on, all that is written is written here. */
  let kept: Map<string, number> | undefined;
  const findKept = (principal: string): number => {
    kept ??= new Map(sizes.all().map((row) => [row.principal, row.bytes]));
    return kept.get(principal) ?? 0;
  };
  const add = (principal: string, bytes: number): void => void kept?.set(principal, (kept.get(principal) ?? 0) + bytes);
  const sweep = (): void => {
    for (const { principal, bytes } of expire.all(now() - answerLifetimeMs)) add(principal, -bytes);
  };
  const pages = (name: string): number => Number(database.pragma(name, { simple: true }));
  const isFull = (): boolean =>
    (pages("page_count") - pages("freelist_count")) * pages("page_size") >= limits.mostBytes;
  const claimOrFind = database.transaction((use: KeyUse): Claim => {
    const row = find.get(...identity(use));
    if (row?.reply === null) return { tag: "pending", input: row.input };
    if (row !== undefined) return { tag: "answered", input: row.input, reply: JSON.parse(row.reply) as Reply };
    if (isFull() || (use.principal !== localPrincipal.id && findKept(use.principal) >= limits.mostOfOne)) return "full";
    claim.run(...identity(use), use.input, now());
    return "claimed";
  });
  return {
    claim: (use: KeyUse): Claim => {
      sweep();
      const found = claimOrFind.immediate(use);
      if (found === "claimed") add(use.principal, measureRow(use));
      return found;
    },
    finish: (use: KeyUse, reply: Reply): void => {
      const text = JSON.stringify(reply);
      if (finish.run(text, ...identity(use)).changes > 0) add(use.principal, Buffer.byteLength(text));
    },
    release: (use: KeyUse): void => {
      const { reply } = find.get(...identity(use)) ?? {};
      if (release.run(...identity(use)).changes > 0)
        add(use.principal, -measureRow(use) - Buffer.byteLength(reply ?? ""));
    },
    sweep,
  };
};

/** Bytes of a row without a reply. */
const measureRow = ({ key, input }: KeyUse): number => Buffer.byteLength(key) + Buffer.byteLength(input) + rowBytes;
