/**
 * Keys are owned by the shard: so many parts of all keys, each with one owner among the nodes of a cluster. Which node is to own which shard follows from the
 * live nodes alone, by rendezvous hashing, so that all nodes come to the same plan without a vote. Pure.
 *
 * Not here: who owns a shard now (`lease-table.ts`).
 */
import { hashText, makeOwnership } from "../rendezvous.ts";

/** A number for good: nodes that count otherwise would find other owners. */
const shardCount = 128;

/** The shard of a service's key. */
export const findShard = (service: string, key: string): number =>
  hashText(`${service.length} ${service}${key}`) % shardCount;

/** A node that takes keys. */
export interface NodeView {
  readonly id: string;
  readonly name: string;
  /** `host:port`, where others reach it. */
  readonly address: string;
}

/** A shard as the store has it. */
export interface ShardView {
  readonly shard: number;
  /** Its owner; `undefined` where there is none or its lease is over. */
  readonly owner: string | undefined;
  /** Grows with each owner. */
  readonly epoch: number;
}

export interface ClusterView {
  /** Those whose heart beats and that are not leaving, by id. */
  readonly nodes: ReadonlyMap<string, NodeView>;
  /** By number. */
  readonly shards: readonly ShardView[];
}

export const noView: ClusterView = { nodes: new Map(), shards: [] };

/** Which node is to own each shard; none while there is no node. */
export const planShards = (nodes: Iterable<string>): readonly (string | undefined)[] => {
  const names = [...nodes];
  const own = names.length === 0 ? () => undefined : makeOwnership(names);
  return Array.from({ length: shardCount }, (_, shard) => own(String(shard)));
};

/** What a node has to do for the plan: take what is free, and give what another is to have. */
export const planNode = (
  { nodes, shards }: ClusterView,
  id: string,
): { readonly take: readonly number[]; readonly give: readonly number[] } => {
  const plan = planShards(nodes.keys());
  return {
    take: shards.flatMap(({ shard, owner }) => (owner === undefined && plan[shard] === id ? [shard] : [])),
    give: shards.flatMap(({ shard, owner }) =>
      owner === id && plan[shard] !== undefined && plan[shard] !== id ? [shard] : [],
    ),
  };
};
