/**
 * Runs as rows. What is asked for is in columns, the rest is one text of JSON; inputs are apart, since they do not change. Runs that have ended
 * go when they are old, or when there are too many, by the clock that only goes forward.
 *
 * Not here: what becomes of a run (`runs/`), opening the file and transactions (`state-file.ts`).
 */
import type Database from "better-sqlite3";
import { examineProcess, ownIdentity } from "../owner/process-identity.ts";
import { isOver, type Run } from "../runs/run.ts";
import type { RunOwner, RunPage, RunQuery, RunRead, RunWrite, RunWritten } from "../runs/store.ts";
import { damagedRecord } from "./damaged-record.ts";
import type { AnswerLimits } from "./state-write.ts";

/** Milliseconds that a run is kept after its end. */
const runLifetimeMs = 7 * 24 * 60 * 60 * 1_000;

/** Runs that are kept after their end, and runs that are open at once; of one principal, a tenth. */
const mostEnded = 10_000;
const mostOpen = 10_000;
const mostOpenOfOne = 1_000;

/** Rows that one look for old ones takes. */
const sweepRows = 1_000;

interface RunRow {
  readonly seq: number;
  readonly record: string;
}

interface RunTableOptions {
  /** Milliseconds since the system started. */
  readonly now: () => number;
  readonly limits: Pick<AnswerLimits, "mostBytes" | "unlimited">;
}

export class RunTable {
  readonly #database: Database.Database;
  readonly #options: RunTableOptions;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database.Database, options: RunTableOptions) {
    this.#database = database;
    this.#options = options;
    this.#sql = prepare(database);
  }

  /** Does what it is given, in order. Call it in a transaction. */
  apply(writes: readonly RunWrite[]): readonly RunWritten[] {
    return writes.map((write) => this.#write(write));
  }

  #write(write: RunWrite): RunWritten {
    switch (write.kind) {
      case "claim":
        return this.#claim(write.owner);
      case "release":
        this.#sql.release.run(JSON.stringify(write.owner));
        return { tag: "written" };
      case "insert":
        return this.#insert(write);
      case "update":
        return this.#update(write);
    }
  }

  read(read: RunRead): unknown {
    switch (read.kind) {
      case "find":
        return toRun(this.#sql.find.get(read.id)) ?? null;
      case "input":
        return parseRecord(this.#sql.input.get(read.id) ?? "null");
      case "open":
        return this.#sql.open.all().map(parseRecord);
      case "list":
        return this.#list(read);
    }
  }

  /** Deletes runs that ended long ago, or that are too many, a number of them. Call it in a transaction. */
  sweep(): void {
    this.#sql.expire.run(this.#options.now() - runLifetimeMs);
    this.#sql.trim.run();
  }

  #claim(owner: RunOwner): RunWritten {
    const text = this.#sql.owner.get();
    const before = text === undefined ? undefined : (JSON.parse(text) as RunOwner);
    if (before !== undefined && before.kernel !== owner.kernel && isAlive(before)) return { tag: "conflict" };
    this.#sql.disown.run();
    this.#sql.own.run(JSON.stringify(owner));
    return { tag: "written" };
  }

  #insert({ run, input }: Extract<RunWrite, { kind: "insert" }>): RunWritten {
    const { id, procedure, principal, key = null, state, version } = run;
    const known = key === null ? undefined : toRun(this.#sql.byKey.get(principal.id, procedure, key));
    if (known !== undefined) return { tag: "exists", run: known };
    if (this.#isFull(principal.id)) return { tag: "full" };
    const row = { id, principal: principal.id, procedure, key, state: state.tag, at: this.#options.now(), version };
    this.#sql.insert.run({ ...row, record: JSON.stringify(run) });
    this.#sql.insertInput.run(id, JSON.stringify(input) ?? "null");
    return { tag: "written" };
  }

  #update({ run, replaces }: Extract<RunWrite, { kind: "update" }>): RunWritten {
    const { id, version, state } = run;
    if (!isOver(run) && this.#sql.isEnded.get(id) === 1 && this.#isFull(run.principal.id)) return { tag: "full" };
    const row = { id, replaces, version, state: state.tag, ended: isOver(run) ? 1 : 0, at: this.#options.now() };
    const { changes } = this.#sql.update.run({ ...row, record: JSON.stringify(run) });
    if (changes !== 1) return { tag: "conflict" };
    // Only a run that failed or was cancelled can be resumed.
    if (state.tag === "done") this.#sql.dropInput.run(id);
    return { tag: "written" };
  }

  #isFull(principal: string): boolean {
    const { mostBytes, unlimited } = this.#options.limits;
    const [pages, free] = ["page_count", "freelist_count"].map((name) =>
      Number(this.#database.pragma(name, { simple: true })),
    );
    if (((pages ?? 0) - (free ?? 0)) * this.#sql.pageSize >= mostBytes) return true;
    if (Number(this.#sql.countOpen.get()) >= mostOpen) return true;
    const isService = principal.startsWith("service:");
    return principal !== unlimited && !isService && Number(this.#sql.countOpenOf.get(principal)) >= mostOpenOfOne;
  }

  #list({ principal, procedure, state, before, limit }: RunQuery): RunPage {
    const filters = {
      principal: principal ?? null,
      procedure: procedure ?? null,
      state: state ?? null,
      before: before ?? Number.MAX_SAFE_INTEGER,
    };
    const rows = this.#sql.list.all({ ...filters, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const next = rows.length > limit ? shown.at(-1)?.seq : undefined;
    return { runs: shown.flatMap(({ record }) => toRun(record) ?? []), ...(next !== undefined && { next }) };
  }
}

/** Where that cannot be known, it is not: the state folder has a lock of its own. */
const isAlive = (owner: RunOwner): boolean => {
  const { boot, process } = examineProcess(owner, ownIdentity());
  return boot !== "other" && process === "same";
};

/** What is stored is what `apply` wrote, but for what the disk has made of it. */
const toRun = (record: string | undefined): Run | undefined =>
  record === undefined ? undefined : (parseRecord(record) as Run);

const parseRecord = (record: string): unknown => {
  try {
    return JSON.parse(record);
  } catch {
    throw damagedRecord();
  }
};

/** A record without what may be megabytes. */
const listed = `json_set(json_remove(record, '$.state.output'), '$.log', json('[]'), '$.answers', json('{}'))`;

const prepare = (database: Database.Database) => ({
  owner: database.prepare<[], string>("SELECT owner FROM run_owner").pluck(),
  own: database.prepare("INSERT INTO run_owner (owner) VALUES (?)"),
  disown: database.prepare("DELETE FROM run_owner"),
  release: database.prepare("DELETE FROM run_owner WHERE owner = ?"),
  find: database.prepare<[string], string>("SELECT record FROM runs WHERE id = ?").pluck(),
  byKey: database
    .prepare<[string, string, string], string>(
      "SELECT record FROM runs WHERE principal = ? AND procedure = ? AND key = ?",
    )
    .pluck(),
  input: database.prepare<[string], string>("SELECT input FROM run_inputs WHERE id = ?").pluck(),
  open: database
    .prepare<[], string>("SELECT record FROM runs WHERE ended = 0 AND json_valid(record) ORDER BY seq")
    .pluck(),
  insert: database.prepare(
    `INSERT INTO runs (id, principal, procedure, key, state, ended, at, version, record)
     VALUES ($id, $principal, $procedure, $key, $state, 0, $at, $version, $record)`,
  ),
  insertInput: database.prepare("INSERT INTO run_inputs (id, input) VALUES (?, ?)"),
  dropInput: database.prepare("DELETE FROM run_inputs WHERE id = ?"),
  isEnded: database.prepare<[string], number>("SELECT ended FROM runs WHERE id = ?").pluck(),
  update: database.prepare(
    `UPDATE runs SET state = $state, ended = $ended, at = $at, version = $version, record = $record
     WHERE id = $id AND version = $replaces`,
  ),
  list: database.prepare<Readonly<Record<string, unknown>>, RunRow>(
    `SELECT seq, ${listed} AS record FROM runs WHERE seq < $before AND ($principal IS NULL OR principal = $principal)
     AND json_valid(record) AND ($procedure IS NULL OR procedure = $procedure) AND ($state IS NULL OR state = $state)
     ORDER BY seq DESC LIMIT $limit`,
  ),
  countOpen: database.prepare("SELECT count(*) FROM runs WHERE ended = 0").pluck(),
  countOpenOf: database.prepare("SELECT count(*) FROM runs WHERE ended = 0 AND principal = ?").pluck(),
  expire: database.prepare(
    `DELETE FROM runs WHERE seq IN (SELECT seq FROM runs WHERE ended = 1 AND at < ? ORDER BY at LIMIT ${sweepRows})`,
  ),
  trim: database.prepare(
    `DELETE FROM runs WHERE ended = 1 AND seq IN
     (SELECT seq FROM runs WHERE ended = 1 ORDER BY at DESC LIMIT ${sweepRows} OFFSET ${mostEnded})`,
  ),
  pageSize: Number(database.pragma("page_size", { simple: true })),
});
