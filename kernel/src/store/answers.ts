/**
 * Stored answers of keyed procedures in PostgreSQL, for all kernels that share it. A claim has an epoch, which is the kernel's run and a number: only who has the epoch
 * writes the answer, and the same claim may be sent again when its acknowledgement was lost. Time is the server's.
 *
 * Each statement takes rows in the order of their names and is a transaction of its own: what one batch holds belongs to callers who know nothing of each other.
 * Not here: batches (`state/group-commit.ts`), what an answer means (`policy/idempotency.ts`).
 */
import { hash, randomUUID } from "node:crypto";
import type {
  AnswerClaim,
  AnswerLimits,
  AnswerWrite,
  AnswerWritten,
  ClaimWritten,
  UsedKey,
} from "../state/state-write.ts";
import { mostOpenClaims } from "../state/state-write.ts";
import type { Ask } from "./connection.ts";
import { quoted } from "./schema.ts";

/** How long an answer is kept, in SQL. */
const lifetime = "interval '24 hours'";
/** Milliseconds between two looks for old rows, and for how much each principal has. */
const lookEveryMs = 30_000;
/** Rows that one look takes. */
const sweepRows = 1_000;
/** Bytes that a row takes beside its texts. */
const rowBytes = 200;
/** How often a row that is gone when it is read is claimed again. */
const mostTries = 5;

interface AnswersOptions {
  readonly schema: string;
  readonly limits: AnswerLimits;
  /** Keys of another scope are other keys: a worker has one of its own for calls whose keys the kernel that was asked has claimed. */
  readonly scope: string;
  /** A clock that goes forward. */
  readonly now: () => number;
}

interface AnswerRow {
  readonly name: string;
  readonly input: string;
  readonly reply: string | null;
  /** Whether this kernel has claimed it, under that number. */
  readonly number: string | null;
}

/** A claim of this kernel that has no answer yet. */
interface OpenClaim {
  readonly name: string;
  /** Of its epoch. */
  readonly number: number;
}

type Finish = Extract<AnswerWrite, { readonly kind: "finish" }>;

export class PostgresAnswers {
  readonly #ask: Ask;
  readonly #options: AnswersOptions;
  readonly #sql: ReturnType<typeof prepare>;
  /** This run of the kernel. */
  readonly #kernel = randomUUID();
  readonly #open = new Map<number, OpenClaim>();
  /** Claims by name of which it is not known whether they were taken; their work has not begun. */
  readonly #doubtful = new Map<string, number>();
  /** Bytes of each principal, by the last look and what was claimed here since then. */
  #kept = new Map<string, number>();
  #looked = Number.NEGATIVE_INFINITY;

  constructor(ask: Ask, options: AnswersOptions) {
    this.#ask = ask;
    this.#options = options;
    this.#sql = prepare(quoted(options.schema));
  }

  /** Does what it is given; the result of each. Rejects where the server cannot be asked: then claims may be taken, and are this kernel's to take again. */
  async commit(writes: readonly AnswerWrite[]): Promise<readonly AnswerWritten[]> {
    if (this.#options.now() - this.#looked > lookEveryMs) await this.look();
    const results = new Map<AnswerWrite, AnswerWritten>();
    try {
      for (const part of inParts(writes, (write) => this.#findName(write))) {
        await this.#claim(part.filter(isClaim), results);
        await this.#finish(part, results);
        await this.#release(part, results);
      }
    } catch (cause) {
      // None of their callers learns that it has its key, so none of the work begins.
      for (const [write, result] of results)
        if (write.kind === "claim" && result === "claimed") this.#doubt(write.number);
      throw cause;
    }
    return writes.map((write) => results.get(write) ?? "lost");
  }

  #doubt(number: number): void {
    const open = this.#open.get(number);
    this.#open.delete(number);
    if (open !== undefined) note(this.#doubtful, open.name, open.number);
  }

  /** Deletes old answers, and counts what principals have. */
  async look(): Promise<void> {
    await this.#ask(this.#sql.sweep);
    const rows = await this.#ask<{ readonly principal: string; readonly bytes: string }>(this.#sql.count);
    this.#kept = new Map(rows.map(({ principal, bytes }) => [principal, Number(bytes)]));
    this.#looked = this.#options.now();
  }

  #digest({ principal, procedure, key }: UsedKey): string {
    return hash("sha256", JSON.stringify([this.#options.scope, principal, procedure, key]), "base64url");
  }

  #findName(write: AnswerWrite): string {
    return "use" in write ? this.#digest(write.use) : (this.#open.get(write.number)?.name ?? `unknown ${write.number}`);
  }

  async #claim(claims: readonly AnswerClaim[], results: Map<AnswerWrite, AnswerWritten>): Promise<void> {
    let left = claims.map((claim) => {
      const name = this.#digest(claim.use);
      return { claim, name, number: this.#doubtful.get(name) ?? claim.number };
    });
    for (let tries = mostTries; left.length > 0; tries -= 1) {
      const allowed = left.filter(({ claim, name }) => this.#doubtful.has(name) || this.#hasRoom(claim));
      // Kept until the server has answered: what is in doubt is claimed by the same epoch.
      for (const { name, number } of allowed) note(this.#doubtful, name, number);
      const taken = await this.#take(allowed);
      const rows = await this.#read(left.filter(({ name }) => !taken.has(name)).map(({ name }) => name));
      const gone: typeof left = [];
      for (const one of left) {
        const { claim, name, number } = one;
        const row = rows.get(name);
        const isOurs = taken.has(name) || isClaimedBy(row, claim, number);
        if (isOurs) {
          note(this.#open, claim.number, { name, number });
          results.set(claim, "claimed");
          if (taken.has(name)) this.#count(claim);
        } else if (row !== undefined) results.set(claim, toKnown(row));
        else if (!allowed.includes(one) || tries <= 1) results.set(claim, "full");
        else gone.push(one);
        if (!gone.includes(one)) this.#doubtful.delete(name);
      }
      left = gone;
    }
  }

  /** The names of those that are now this kernel's. */
  async #take(
    claims: readonly { readonly claim: AnswerClaim; readonly name: string; readonly number: number }[],
  ): Promise<ReadonlySet<string>> {
    if (claims.length === 0) return new Set();
    const rows = await this.#ask<{ readonly name: string }>(this.#sql.claim, [
      this.#kernel,
      claims.map(({ name }) => name),
      claims.map(({ claim: { use } }) => plain(use.principal)),
      claims.map(({ claim: { use } }) => plain(use.procedure)),
      claims.map(({ claim: { use } }) => plain(use.key)),
      claims.map(({ claim: { use } }) => use.input),
      claims.map(({ number }) => number),
    ]);
    return new Set(rows.map(({ name }) => name));
  }

  async #read(names: readonly string[]): Promise<ReadonlyMap<string, AnswerRow>> {
    if (names.length === 0) return new Map();
    const rows = await this.#ask<AnswerRow>(this.#sql.read, [this.#kernel, names]);
    return new Map(rows.map((row) => [row.name, row]));
  }

  async #finish(part: readonly AnswerWrite[], results: Map<AnswerWrite, AnswerWritten>): Promise<void> {
    const known: {
      readonly write: AnswerWrite;
      readonly name: string;
      readonly number: number;
      readonly reply: string;
    }[] = [];
    for (const write of part) {
      if (write.kind !== "answer") continue;
      const open = this.#open.get(write.number);
      this.#open.delete(write.number);
      if (open === undefined) results.set(write, "unknown");
      else known.push({ write, ...open, reply: write.reply });
    }
    if (known.length > 0) {
      const rows = await this.#ask<{ readonly name: string }>(this.#sql.finish, [
        this.#kernel,
        known.map(({ name }) => name),
        known.map(({ number }) => number),
        known.map(({ reply }) => reply),
      ]);
      const done = new Set(rows.map(({ name }) => name));
      for (const { write, name } of known) results.set(write, done.has(name) ? "done" : "lost");
    }
    // Of claims so old that their numbers are forgotten: there are few.
    for (const write of part.filter((each): each is Finish => each.kind === "finish")) {
      const rows = await this.#ask(this.#sql.finishOld, [this.#kernel, this.#digest(write.use), write.reply]);
      results.set(write, rows.length > 0 ? "done" : "lost");
    }
  }

  async #release(part: readonly AnswerWrite[], results: Map<AnswerWrite, AnswerWritten>): Promise<void> {
    const names: string[] = [];
    for (const write of part) {
      if (write.kind !== "release") continue;
      names.push(this.#digest(write.use));
      results.set(write, "done");
    }
    if (names.length > 0) await this.#ask(this.#sql.release, [this.#kernel, names]);
  }

  #hasRoom({ use: { principal } }: AnswerClaim): boolean {
    const { mostBytes, mostOfOne, unlimited } = this.#options.limits;
    const own = this.#kept.get(plain(principal)) ?? 0;
    if (principal !== unlimited && own >= mostOfOne) return false;
    return this.#kept.values().reduce((sum, bytes) => sum + bytes, 0) < mostBytes;
  }

  #count({ use: { principal, key, input } }: AnswerClaim): void {
    const name = plain(principal);
    this.#kept.set(name, (this.#kept.get(name) ?? 0) + Buffer.byteLength(key) + Buffer.byteLength(input) + rowBytes);
  }
}

const isClaim = (write: AnswerWrite): write is AnswerClaim => write.kind === "claim";

/** Whether this very claim has taken it before, and only its acknowledgement was lost. */
const isClaimedBy = (row: AnswerRow | undefined, { use }: AnswerClaim, number: number): boolean =>
  row?.reply === null && row.input === use.input && row.number === String(number);

const toKnown = ({ input, reply }: AnswerRow): ClaimWritten =>
  reply === null ? { tag: "pending", input } : { tag: "answered", input, reply };

/** Adds to it, and forgets the oldest of very many. */
const note = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= mostOpenClaims) break;
    map.delete(oldest);
  }
};

/** One after the other, none of which has a name twice. */
const inParts = (
  writes: readonly AnswerWrite[],
  findName: (write: AnswerWrite) => string,
): readonly AnswerWrite[][] => {
  const parts: AnswerWrite[][] = [];
  const last = new Map<string, number>();
  for (const write of writes) {
    const name = findName(write);
    const at = (last.get(name) ?? -1) + 1;
    last.set(name, at);
    const part = parts[at] ?? [];
    part.push(write);
    parts[at] = part;
  }
  return parts;
};

/** PostgreSQL's texts hold every character but this one. */
const plain = (text: string): string => text.replaceAll("\0", "");

const prepare = (schema: string) => ({
  claim: `
    INSERT INTO ${schema}.answers AS known (name, principal, procedure, key, input, kernel, number)
    SELECT name, principal, procedure, key, input, $1::uuid, number
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
      AS wanted (name, principal, procedure, key, input, number)
    ORDER BY name COLLATE "C"
    ON CONFLICT (name) DO UPDATE SET
      input = excluded.input, kernel = excluded.kernel, number = excluded.number, reply = NULL, at = now()
    WHERE known.at < now() - ${lifetime}
    RETURNING name`,
  read: `
    SELECT name, input, reply, CASE WHEN kernel = $1::uuid THEN number END AS number
    FROM ${schema}.answers WHERE name = ANY ($2::text[])`,
  finish: `
    WITH answered AS (
      SELECT known.name, given.reply
      FROM ${schema}.answers AS known
      JOIN unnest($2::text[], $3::bigint[], $4::text[]) AS given (name, number, reply)
        ON known.name = given.name AND known.number = given.number AND known.kernel = $1::uuid
      ORDER BY known.name
      FOR UPDATE OF known
    )
    UPDATE ${schema}.answers AS known SET reply = answered.reply FROM answered WHERE known.name = answered.name
    RETURNING known.name`,
  finishOld: `
    UPDATE ${schema}.answers SET reply = $3 WHERE name = $2 AND kernel = $1::uuid AND reply IS NULL RETURNING name`,
  release: `DELETE FROM ${schema}.answers WHERE name = ANY ($2::text[]) AND kernel = $1::uuid AND reply IS NULL`,
  sweep: `
    DELETE FROM ${schema}.answers WHERE name IN (
      SELECT name FROM ${schema}.answers WHERE at < now() - ${lifetime} ORDER BY at LIMIT ${sweepRows} FOR UPDATE SKIP LOCKED
    )`,
  count: `
    SELECT principal, sum(octet_length(key) + octet_length(input) + coalesce(octet_length(reply), 0) + ${rowBytes})::text AS bytes
    FROM ${schema}.answers GROUP BY principal`,
});
