/**
 * Resources of contracts in MCP's words: lists, what completes a template, and following one in a session. Loaded when a client looks at one.
 *
 * Not here: what they are (`kernel/src/resources`); reading one, which is the same as reading a file of a download (`../resources.ts`).
 */
import { codes } from "@fairlead/contracts";
import { type CompleteResult, ProtocolError } from "@modelcontextprotocol/server";
import { findResource } from "../../../resources/address.ts";
import type { Completion } from "../../../resources/choices.ts";
import { followResource } from "../../../resources/follow.ts";
import { Follows } from "../../../resources/follows.ts";
import { completeField, type ResourceSource } from "../../../resources/resources.ts";
import { nothingThere } from "./not-found.ts";

export { listResources, listTemplates } from "../../../resources/resources.ts";

interface TemplateCompletion {
  readonly template: string;
  readonly field: string;
  readonly typed: string;
  readonly values: Readonly<Record<string, string>>;
}

export const completeTemplate = (source: ResourceSource, completion: TemplateCompletion): Promise<CompleteResult> =>
  completeField(source, completion).then((found = { values: [], total: 0 }) => toCompleteResult(found));

const toCompleteResult = ({ values, total }: Completion): CompleteResult => ({
  completion: { values: [...values], total, hasMore: total > values.length },
});

/** What one session follows. */
export class SessionFollows {
  readonly #follows = new Follows(mostFollowed);
  readonly #ends = new Map<string, () => void>();

  /** The caller has checked that it can be read. Throws for an address of nothing, and where too much is followed. */
  add({ terms, ...source }: ResourceSource, uri: string, updated: () => void): void {
    if (this.#ends.has(uri)) return;
    const found = findResource(source.contracts, uri);
    if (found === undefined) throw nothingThere();
    // It outlives the request that asked for it.
    const { signal: _signal, timeoutMs: _limit, ...lasting } = terms;
    const follow = { dispatch: source.dispatch, terms: lasting };
    const end = this.#follows.open({
      key: uri,
      run: (own) => followResource(follow, found, own),
      changed: updated,
    });
    if (end === undefined) throw new ProtocolError(codes.resource_exhausted.jsonrpc, crowded);
    this.#ends.set(uri, end);
  }

  remove(uri: string): void {
    this.#ends.get(uri)?.();
    this.#ends.delete(uri);
  }

  close(): void {
    this.#follows.close();
    this.#ends.clear();
  }
}

/** Of one session. */
const mostFollowed = 100;

const crowded = `a session follows at most ${mostFollowed} resources; unsubscribe from others first`;
