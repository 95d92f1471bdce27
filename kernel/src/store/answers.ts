/**
 * Stored answers of keyed procedures in PostgreSQL, for all kernels that share it. A claim has an epoch, which is the kernel's run and a number: only who has the epoch
 * writes the answer, and the same claim may be sent again when its acknowledgement was lost. Time is the server's.
 *
 * Each statement takes rows in the order of their names and is a transaction of its own: what one batch holds belongs to callers who know nothing of each other.
 * Not here: batches (`state/group-commit.ts`), what an answer means (`policy/idempotency.ts`).
 */
import { hash, randomUUID } from "node:crypto";
import type { FairleadError } from "@fairlead/contracts";
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
/** Milliseconds that an answer is tried again while the server is away. */
const patienceMs = 8_000;
/** Milliseconds after which a claim that was in doubt has come to the server or never will. */
const slowClaimMs = 15_000;

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
  readonly principal: string;
  /** Of its epoch. */
  readonly number: number;
}

interface Doubt {
  readonly number: number;
  /** When it is to be released, by the clock; again where nothing was there, since a claim may be slow on its way. */
  readonly due: number;
  readonly isAgain: boolean;
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
  readonly #doubtful = new Map<string, Doubt>();
  /** Bytes of each principal, by the last look and what was claimed here since then. */
  #kept = new Map<string, number>();
  #looked = Number.NEGATIVE_INFINITY;

  constructor(ask: Ask, options: AnswersOptions) {
    this.#ask = ask;
    this.#options = options;
    this.#sql = prepare(quoted(options.schema));
  }

  /**
   * Does what it is given; the result of each, which is an error where the server could not be asked: then a claim may be taken, and is this kernel's
   * to take again. Answers come first, and are tried for longer: their work is done. Not to be called again before it has settled.
   */
  async commit(writes: readonly AnswerWrite[]): Promise<readonly (AnswerWritten | FairleadError)[]> {
    const results = new Map<AnswerWrite, AnswerWritten | FairleadError>();
    let isReached = true;
    const attempt = async (group: readonly AnswerWrite[], work: () => Promise<void>): Promise<void> => {
      if (group.length === 0) return;
      try {
        await work();
      } catch (cause) {
        isReached = false;
        for (const write of group) if (!results.has(write)) results.set(write, cause as FairleadError);
      }
    };
    for (const part of inParts(writes, (write) => this.#findName(write))) {
      const claims = part.filter(isClaim);
      const releases = part.filter(({ kind }) => kind === "release");
      const finishes = part.filter(({ kind }) => kind === "answer" || kind === "finish");
      await attempt(finishes, () => this.#finish(finishes, results));
      await attempt(releases, () => this.#release(releases, results));
      await attempt(claims, async () => {
        // What cannot be counted is no reason to refuse: the claims say so themselves where nothing can be asked.
        if (this.#options.now() - this.#looked > lookEveryMs) await this.#look().catch(() => undefined);
        await this.#claim(claims, results);
      });
    }
    if (isReached && this.hasDoubts) await this.#releaseDoubtful(this.#options.now()).catch(() => undefined);
    return writes.map((write) => results.get(write) ?? "lost");
  }

  /** Frees for other kernels what may have been claimed when the server was lost, of which no caller has learnt. */
  async #releaseDoubtful(now: number): Promise<void> {
    const due = [...this.#doubtful].filter(([, doubt]) => doubt.due <= now);
    if (due.length === 0) return;
    const rows = await this.#ask<{ readonly name: string }>(this.#sql.releaseDoubtful, [
      this.#kernel,
      due.map(([name]) => name),
      due.map(([, { number }]) => number),
    ]);
    const freed = new Set(rows.map(({ name }) => name));
    for (const [name, doubt] of due) {
      if (freed.has(name) || doubt.isAgain) this.#doubtful.delete(name);
      else this.#doubtful.set(name, { number: doubt.number, due: now + slowClaimMs, isAgain: true });
    }
  }

  /** Whether there are claims of which it is not known whether they were taken. */
  get hasDoubts(): boolean {
    return this.#doubtful.size > 0;
  }

  /** Deletes old answers, counts what principals have, and frees what is in doubt. Not to be called before a `commit` has settled, nor a `commit` before it. */
  async look(): Promise<void> {
    await this.#look();
    if (this.hasDoubts) await this.#releaseDoubtful(this.#options.now());
  }

  /** Frees all that is in doubt, for a kernel that ends. To be called as `look` is. */
  async leave(): Promise<void> {
    if (this.hasDoubts) await this.#releaseDoubtful(Number.POSITIVE_INFINITY);
  }

  async #look(): Promise<void> {
    this.#looked = this.#options.now();
    await this.#ask(this.#sql.sweep);
    const rows = await this.#ask<{ readonly principal: string; readonly bytes: string }>(this.#sql.count);
    this.#kept = new Map(rows.map(({ principal, bytes }) => [principal, Number(bytes)]));
  }

  #digest({ principal, procedure, key }: UsedKey): string {
    return hash("sha256", JSON.stringify([this.#options.scope, principal, procedure, key]), "base64url");
  }

  #findName(write: AnswerWrite): string {
    return "use" in write ? this.#digest(write.use) : (this.#open.get(write.number)?.name ?? `unknown ${write.number}`);
  }

  async #claim(
    claims: readonly AnswerClaim[],
    results: Map<AnswerWrite, AnswerWritten | FairleadError>,
  ): Promise<void> {
    let left = claims.map((claim) => {
      const name = this.#digest(claim.use);
      return { claim, name, number: this.#doubtful.get(name)?.number ?? claim.number };
    });
    for (let tries = mostTries; left.length > 0; tries -= 1) {
      const allowed = left.filter(({ claim, name }) => this.#doubtful.has(name) || this.#hasRoom(claim));
      // Kept until the server has answered: what is in doubt is claimed by the same epoch.
      for (const { name, number } of allowed) note(this.#doubtful, name, { number, due: 0, isAgain: false });
      const taken = await this.#take(allowed);
      const rows = await this.#read(left.filter(({ name }) => !taken.has(name)).map(({ name }) => name));
      const gone: typeof left = [];
      for (const one of left) {
        const { claim, name, number } = one;
        const row = rows.get(name);
        const isOurs = taken.has(name) || isClaimedBy(row, claim, number);
        if (isOurs) {
          note(this.#open, claim.number, { name, number, principal: plain(claim.use.principal) });
          results.set(claim, "claimed");
          if (taken.has(name)) this.#count(plain(claim.use.principal), claim.use.key, claim.use.input);
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

  async #finish(part: readonly AnswerWrite[], results: Map<AnswerWrite, AnswerWritten | FairleadError>): Promise<void> {
    const known: {
      readonly write: AnswerWrite;
      readonly name: string;
      readonly number: number;
      readonly principal: string;
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
      const rows = await this.#ask<{ readonly name: string }>(
        this.#sql.finish,
        [
          this.#kernel,
          known.map(({ name }) => name),
          known.map(({ number }) => number),
          known.map(({ reply }) => reply),
        ],
        patienceMs,
      );
      const done = new Set(rows.map(({ name }) => name));
      for (const { write, name, principal, reply } of known) {
        results.set(write, done.has(name) ? "done" : "lost");
        if (done.has(name)) this.#count(principal, reply);
      }
    }
    // Of claims so old that their numbers are forgotten: there are few.
    for (const write of part.filter((each): each is Finish => each.kind === "finish")) {
      const rows = await this.#ask(
        this.#sql.finishOld,
        [this.#kernel, this.#digest(write.use), write.reply],
        patienceMs,
      );
      results.set(write, rows.length > 0 ? "done" : "lost");
      if (rows.length > 0) this.#count(plain(write.use.principal), write.reply);
    }
  }

  async #release(
    part: readonly AnswerWrite[],
    results: Map<AnswerWrite, AnswerWritten | FairleadError>,
  ): Promise<void> {
    const names: string[] = [];
    for (const write of part) {
      if (write.kind !== "release") continue;
      names.push(this.#digest(write.use));
    }
    if (names.length > 0) await this.#ask(this.#sql.release, [this.#kernel, names], patienceMs);
    for (const write of part) results.set(write, "done");
  }

  #hasRoom({ use: { principal } }: AnswerClaim): boolean {
    const { mostBytes, mostOfOne, unlimited } = this.#options.limits;
    const own = this.#kept.get(plain(principal)) ?? 0;
    if (principal !== unlimited && own >= mostOfOne) return false;
    return this.#kept.values().reduce((sum, bytes) => sum + bytes, 0) < mostBytes;
  }

  #count(principal: string, ...texts: readonly string[]): void {
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), rowBytes);
    this.#kept.set(principal, (this.#kept.get(principal) ?? 0) + bytes);
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
  releaseDoubtful: `
    DELETE FROM ${schema}.answers AS known USING unnest($2::text[], $3::bigint[]) AS given (name, number)
    WHERE known.name = given.name AND known.number = given.number AND known.kernel = $1::uuid AND known.reply IS NULL
    RETURNING known.name`,
  sweep: `
    DELETE FROM ${schema}.answers WHERE name IN (
      SELECT name FROM ${schema}.answers WHERE at < now() - ${lifetime} ORDER BY at LIMIT ${sweepRows} FOR UPDATE SKIP LOCKED
    )`,
  count: `
    SELECT principal, sum(octet_length(key) + octet_length(input) + coalesce(octet_length(reply), 0) + ${rowBytes})::text AS bytes
    FROM ${schema}.answers GROUP BY principal`,
});
