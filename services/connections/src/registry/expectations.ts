/**
 * What contracts were made of, as their services say it, held against what upstreams offer: a difference is told when it begins, when
 * it becomes another, and when it ends. In memory; services say it again.
 */
import { type Described, type Drift, describedOf, driftOf, noDrift } from "../tools/drift.ts";
import type { UpstreamTool } from "../tools/tool-list.ts";

export interface Expectation {
  /** The connection. */
  readonly name: string;
  /** The contract. */
  readonly importer: string;
  readonly tools: readonly Described[];
}

/** Contracts that are remembered. */
const most = 256;

export class Expectations {
  readonly #tell: (expectation: Expectation, drift: Drift) => void;
  readonly #held = new Map<string, { readonly expectation: Expectation; told: Drift }>();

  constructor(tell: (expectation: Expectation, drift: Drift) => void) {
    this.#tell = tell;
  }

  /** False when there are too many. */
  expect(expectation: Expectation): boolean {
    const { importer } = expectation;
    const before = this.#held.get(importer);
    if (before === undefined && this.#held.size >= most) return false;
    this.#held.set(importer, { expectation, told: before?.told ?? noDrift });
    return true;
  }

  /** Tells what differs from what is expected of a connection, unless it was told before. */
  compare(name: string, tools: readonly UpstreamTool[]): void {
    const present = tools.map(describedOf);
    for (const held of this.#held.values()) {
      const { expectation, told } = held;
      if (expectation.name !== name) continue;
      const drift = driftOf(expectation.tools, present);
      if (JSON.stringify(drift) === JSON.stringify(told)) continue;
      held.told = drift;
      this.#tell(expectation, drift);
    }
  }

  /** What was told last. */
  told(importer: string): Drift {
    return this.#held.get(importer)?.told ?? noDrift;
  }
}
