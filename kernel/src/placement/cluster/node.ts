/**
 * This node among the others: says once a second that it is there, renews what it has, takes what is free and its own by the plan, and gives what another is to
 * have, once the calls by it have ended. What it knows of the others is as old as its last look.
 *
 * Not here: SQL (`lease-table.ts`), the plan (`shards.ts`), calls (`place.ts`).
 */
import type { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type { Log } from "../../observe/log.ts";
import { type LeaseTerms, ShardClaim } from "./claim.ts";
import type { LeaseTable } from "./lease-table.ts";
import { type ClusterView, type NodeView, noView, planNode, planShards, type ShardView } from "./shards.ts";

/** Milliseconds between two looks, and at least, where a call waits for one. */
const lookEveryMs = 1_000;
const soonMs = 50;
/** Looks that a call of another node is worth. */
const mostLooks = 5;
/** Milliseconds that a look of another node may take. */
const lateMs = 300;
/** Milliseconds that calls have to end, once their shard is to be given to another. */
const graceMs = 3_000;

interface NodeOptions extends LeaseTerms {
  readonly self: NodeView;
  readonly table: LeaseTable;
  readonly log: Log;
}

/** Where a call of a shard goes. */
export type Owner =
  | { readonly tag: "here"; readonly claim: ShardClaim }
  /** `epoch` is what that node owned it by at the last look. */
  | { readonly tag: "there"; readonly node: NodeView; readonly epoch: number }
  | { readonly tag: "none" };

export class ClusterNode {
  readonly self: NodeView;
  readonly #options: NodeOptions;
  readonly #claims = new Map<number, ShardClaim>();
  readonly #whenSeen = new Set<() => void>();
  #view: ClusterView = noView;
  #plan: readonly (string | undefined)[] = [];
  #isLeaving = false;
  #problem: FairleadError | undefined;
  #looking: Promise<void> | undefined;
  /** On the clock of `performance.now()`. */
  #looked = Number.NEGATIVE_INFINITY;

  constructor(options: NodeOptions) {
    this.self = options.self;
    this.#options = options;
  }

  /** Why it cannot know what it owns; `undefined` while it can. */
  get problem(): FairleadError | undefined {
    return this.#problem;
  }

  get nodes(): ClusterView["nodes"] {
    return this.#view.nodes;
  }

  /** Shards that it owns at this moment. */
  get owned(): number {
    return [...this.#claims.values()].filter(({ isCertain }) => isCertain).length;
  }

  /** The claim by which a call may begin here. */
  claim(shard: number): ShardClaim | undefined {
    const claim = this.#claims.get(shard);
    return claim?.isOpen === true ? claim : undefined;
  }

  /** The claim by which a call that has begun may go on: also while it is given away. */
  holding(shard: number): ShardClaim | undefined {
    const claim = this.#claims.get(shard);
    return claim?.isCertain === true ? claim : undefined;
  }

  /** Whose it is; that node's whose it is about to be, where it has no owner. */
  find(shard: number): Owner {
    const claim = this.claim(shard);
    if (claim !== undefined) return { tag: "here", claim };
    const { owner, epoch } = this.ownership(shard);
    const id = owner ?? this.#plan[shard];
    // One that leaves still has what it has not given yet.
    const node = id === undefined || id === this.self.id ? undefined : this.#view.nodes.get(id);
    return node === undefined
      ? { tag: "none" }
      : { tag: "there", node, epoch: owner === undefined ? epoch + 1 : epoch };
  }

  /** Who owned a shard at the last look, and by which epoch. */
  ownership(shard: number): Pick<ShardView, "owner" | "epoch"> {
    return this.#view.shards[shard] ?? { owner: undefined, epoch: 0 };
  }

  /** Called after each look. Returns what ends that. */
  onSeen(listener: () => void): () => void {
    this.#whenSeen.add(listener);
    return () => this.#whenSeen.delete(listener);
  }

  /** Looks, unless it has just looked; never fails. */
  async lookSoon(): Promise<void> {
    const pauseMs = this.#looked + soonMs - performance.now();
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await this.#lookOnce();
  }

  /** The claim by which a call of another node may begin here: that node may know of it before this one does. */
  async own(shard: number): Promise<ShardClaim | undefined> {
    for (let looks = 0; looks < mostLooks && !this.#isLeaving && this.claim(shard) === undefined; looks += 1) {
      if (looks > 0 && this.find(shard).tag === "there") return undefined;
      await this.lookSoon();
    }
    return this.claim(shard);
  }

  /** Looks for as long as it is not interrupted. */
  readonly live: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => {
      const began = performance.now();
      return Effect.andThen(
        Effect.promise(() => this.#lookOnce()),
        Effect.suspend(() => Effect.sleep(Math.max(soonMs, began + lookEveryMs - performance.now()))),
      );
    }),
  );

  /** Gives all it has, once calls by it have ended, and is no node any more. */
  readonly leave: Effect.Effect<void> = Effect.suspend(() => {
    this.#isLeaving = true;
    const claims = [...this.#claims.values()];
    return Effect.andThen(
      Effect.ignore(Effect.tryPromise(() => this.#lookOnce())),
      Effect.ignore(Effect.tryPromise(() => this.#give(claims))),
    ).pipe(
      Effect.andThen(Effect.ignore(Effect.tryPromise(() => this.#options.table.leave()))),
      // Others know of it at their next look; until then their calls are answered that it has moved.
      Effect.andThen(this.#view.nodes.size > 0 ? Effect.sleep(lookEveryMs + lateMs) : Effect.void),
    );
  });

  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look()
      .then(
        () => this.#judge(undefined),
        (cause: FairleadError) => this.#judge(cause),
      )
      .finally(() => {
        this.#looking = undefined;
        this.#looked = performance.now();
        for (const listener of this.#whenSeen) listener();
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { table, clock } = this.#options;
    const own = [...this.#claims.values()];
    const asked = clock();
    const renewed = await table.renew(own, this.#isLeaving);
    for (const claim of own) {
      if (renewed.has(claim.shard)) claim.renew(asked);
      else this.#lose(claim);
    }
    this.#view = await table.look();
    this.#plan = planShards(this.#view.nodes.keys());
    const { take, give } = planNode(this.#view, this.self.id);
    const giving = give.flatMap((shard) => this.#claims.get(shard) ?? []).filter(({ isLeaving }) => !isLeaving);
    void this.#give(giving).catch(() => undefined);
    if (take.length === 0 || this.#isLeaving) return;
    const began = clock();
    for (const taken of await table.take(take))
      this.#claims.set(taken.shard, new ShardClaim(taken, this.#options, began));
    this.#view = await table.look();
  }

  #judge(problem: FairleadError | undefined): void {
    if (problem !== undefined && this.#problem === undefined)
      this.#options.log("error", "this node cannot renew what it owns in the cluster", { cause: problem });
    if (problem === undefined && this.#problem !== undefined)
      this.#options.log("info", "this node renews what it owns in the cluster again");
    this.#problem = problem;
  }

  #lose(claim: ShardClaim): void {
    if (this.#claims.get(claim.shard) === claim) this.#claims.delete(claim.shard);
    claim.lose();
  }

  /** No call begins by them; when the last of one has ended, or has had its time, another may take it. Those that are idle go together. */
  async #give(claims: readonly ShardClaim[]): Promise<void> {
    for (const claim of claims) claim.leave();
    const idle = claims.filter(({ isIdle }) => isIdle);
    const busy = claims.filter(({ isIdle }) => !isIdle);
    await Promise.all([
      this.#release(idle),
      ...busy.map((claim) => whenIdle(claim).then(() => this.#release([claim]))),
    ]);
  }

  async #release(claims: readonly ShardClaim[]): Promise<void> {
    if (claims.length === 0) return;
    for (const claim of claims) this.#lose(claim);
    await this.#options.table.give(claims);
  }
}

/** Resolves once nothing runs by it, or has had its time. */
const whenIdle = (claim: ShardClaim): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, graceMs);
    claim.onIdle(() => {
      clearTimeout(timer);
      resolve();
    });
  });
