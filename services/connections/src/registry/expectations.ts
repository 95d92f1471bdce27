/**
 * Compares the tools that contracts were made of, as their services report them, with what upstreams offer. A difference is published when
 * it begins, when it changes, and when it ends. In memory: services report theirs again.
 */
import { type Drift, describeTool, findDrift, noDrift, type ToolDescription } from "../tools/drift.ts";
import type { UpstreamTool } from "../tools/tool-list.ts";

export interface Expectation {
  /** The connection. */
  readonly name: string;
  /** The contract. */
  readonly importer: string;
  readonly tools: readonly ToolDescription[];
}

/** Contracts that are remembered. */
const maxExpectations = 256;

export class Expectations {
  readonly #publish: (expectation: Expectation, drift: Drift) => void;
  readonly #byImporter = new Map<string, { readonly expectation: Expectation; lastDrift: Drift }>();

  constructor(publish: (expectation: Expectation, drift: Drift) => void) {
    this.#publish = publish;
  }

  /** False when there are too many. */
  expect(expectation: Expectation): boolean {
    const { importer } = expectation;
    const before = this.#byImporter.get(importer);
    if (before === undefined && this.#byImporter.size >= maxExpectations) return false;
    this.#byImporter.set(importer, { expectation, lastDrift: before?.lastDrift ?? noDrift });
    return true;
  }

  /** Publishes how a connection differs from what is expected of it, unless that was the last difference. */
  compare(name: string, tools: readonly UpstreamTool[]): void {
    const present = tools.map(describeTool);
    for (const entry of this.#byImporter.values()) {
      const { expectation, lastDrift } = entry;
      if (expectation.name !== name) continue;
      const drift = findDrift(expectation.tools, present);
      if (JSON.stringify(drift) === JSON.stringify(lastDrift)) continue;
      entry.lastDrift = drift;
      this.#publish(expectation, drift);
    }
  }

  /** The difference that was published last. */
  lastDrift(importer: string): Drift {
    return this.#byImporter.get(importer)?.lastDrift ?? noDrift;
  }
}
