/**
 * Who owns which shard, in PostgreSQL: rows with an owner, an epoch and an end. Time is the server's; each statement is a transaction of its own, and may be done
 * twice. A lease begins when the statement does, and its node counts from before it sent it: so the node's own end is never later than the server's.
 *
 * Not here: when these are asked (`node.ts`).
 */
import { FairleadError } from "@fairlead/contracts";
import type { Ask } from "../../store/connection.ts";
import { quoted } from "../../store/schema.ts";
import type { ClusterView, NodeView } from "./shards.ts";

interface ClaimRow {
  readonly shard: number;
  readonly epoch: number;
}

/** What there is, as JSON of the server's. */
interface SeenRow {
  readonly nodes: readonly NodeView[] | null;
  readonly shards: readonly (ClaimRow & { readonly owner: string | null })[];
}

interface LeaseOptions {
  readonly node: NodeView;
  /** The same for all nodes of one secret. */
  readonly proof: string;
  readonly schema: string;
  readonly expiryMs: number;
}

export class LeaseTable {
  readonly #ask: Ask;
  readonly #node: NodeView;
  readonly #proof: string;
  readonly #expiryMs: number;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(ask: Ask, { node, proof, schema, expiryMs }: LeaseOptions) {
    this.#ask = ask;
    this.#node = node;
    this.#proof = proof;
    this.#expiryMs = expiryMs;
    this.#sql = prepare(quoted(schema));
  }

  /** This node is there, and has these shards for another while. Returns those that it still has. One commit: what a busy server does slowly. */
  async renew(claims: readonly ClaimRow[], isLeaving: boolean): Promise<ReadonlySet<number>> {
    const { id, name, address } = this.#node;
    const given = [id, name, address, String(isLeaving), this.#expiryMs, this.#proof, ...columns(claims)];
    const rows = await this.#ask<{ readonly shard: number | null }>(this.#sql.renew, given);
    if (rows.length === 0) throw otherSecret();
    return new Set(rows.flatMap(({ shard }) => shard ?? []));
  }

  async look(): Promise<ClusterView> {
    const [found] = await this.#ask<SeenRow>(this.#sql.look);
    const { nodes, shards } = found ?? { nodes: null, shards: [] };
    return {
      nodes: new Map((nodes ?? []).map((node) => [node.id, node])),
      shards: shards.map(({ shard, owner, epoch }) => ({ shard, owner: owner ?? undefined, epoch })),
    };
  }

  /** Takes those of them that are free. Each has another epoch then. */
  take(shards: readonly number[]): Promise<readonly ClaimRow[]> {
    return this.#ask<ClaimRow>(this.#sql.take, [this.#node.id, [...shards], this.#expiryMs]);
  }

  async give(claims: readonly ClaimRow[]): Promise<void> {
    await this.#ask(this.#sql.give, [this.#node.id, ...columns(claims)]);
  }

  async leave(): Promise<void> {
    await this.#ask(this.#sql.leave, [this.#node.id]);
  }
}

/** Each would take keys that the other cannot call. */
const otherSecret = (): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: "other nodes of this cluster have another secret",
    hint: "give all nodes the same FAIRLEAD_CLUSTER_SECRET, or this one another `store.postgres.schema`",
  });

const columns = (claims: readonly ClaimRow[]) => [claims.map(({ shard }) => shard), claims.map(({ epoch }) => epoch)];

const later = (parameter: string): string => `now() + ${parameter}::int * interval '1 millisecond'`;

/** Rows are locked in the order of their numbers. */
const prepare = (schema: string) => ({
  renew: `
    WITH beaten AS (
      INSERT INTO ${schema}.nodes (id, name, address, proof, leaving, expires)
      SELECT $1::uuid, $2, $3, $6, $4::boolean, ${later("$5")}
      WHERE NOT EXISTS (SELECT 1 FROM ${schema}.nodes WHERE proof <> $6 AND expires > now())
      ON CONFLICT (id) DO UPDATE SET leaving = excluded.leaving, expires = excluded.expires
      RETURNING id
    ), own AS (
      SELECT known.shard FROM ${schema}.shards AS known
      JOIN unnest($7::int[], $8::int[]) AS claim (shard, epoch) USING (shard, epoch)
      WHERE known.node = $1::uuid ORDER BY known.shard FOR NO KEY UPDATE OF known
    ), renewed AS (
      UPDATE ${schema}.shards AS known SET expires = ${later("$5")} FROM own, beaten WHERE known.shard = own.shard
      RETURNING known.shard
    )
    SELECT renewed.shard FROM beaten LEFT JOIN renewed ON true`,
  look: `
    SELECT
      (SELECT json_agg(json_build_object('id', id, 'name', name, 'address', address) ORDER BY id)
        FROM ${schema}.nodes WHERE expires > now() AND NOT leaving) AS nodes,
      (SELECT json_agg(json_build_object(
          'shard', shard, 'epoch', epoch, 'owner', CASE WHEN expires > now() THEN node END) ORDER BY shard)
        FROM ${schema}.shards) AS shards`,
  take: `
    WITH free AS (
      SELECT shard FROM ${schema}.shards
      WHERE shard = ANY ($2::int[]) AND (node IS NULL OR expires <= now()) ORDER BY shard FOR UPDATE
    )
    UPDATE ${schema}.shards AS known SET node = $1::uuid, epoch = known.epoch + 1, expires = ${later("$3")}
    FROM free WHERE known.shard = free.shard
    RETURNING known.shard, known.epoch`,
  give: `
    UPDATE ${schema}.shards AS known SET node = NULL
    FROM unnest($2::int[], $3::int[]) AS claim (shard, epoch)
    WHERE known.shard = claim.shard AND known.epoch = claim.epoch AND known.node = $1::uuid`,
  leave: `
    WITH gone AS (DELETE FROM ${schema}.nodes WHERE id = $1::uuid OR expires < now() - interval '1 hour')
    UPDATE ${schema}.shards SET node = NULL WHERE node = $1::uuid`,
});
