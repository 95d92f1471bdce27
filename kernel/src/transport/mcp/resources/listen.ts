/**
 * Resources that a client of the stateless era follows with `subscriptions/listen`: what its request names is followed while its stream is open.
 *
 * Not here: the stream and its notices (the SDK), and `resources/subscribe` of sessions (`contract-resources.ts`). Loaded when a client names one.
 */
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { isRecord, readMember } from "../../../call/record.ts";
import { type FoundResource, findResource } from "../../../resources/address.ts";
import { followResource } from "../../../resources/follow.ts";
import { Follows } from "../../../resources/follows.ts";
import { type ResourceSource, readFound } from "../../../resources/resources.ts";

interface ListenParts {
  readonly source: ResourceSource;
  readonly follows: Follows;
  /** To the one who asked. */
  readonly updated: (uri: string) => void;
}

interface OpenFollows {
  /** The request, with those resources alone that this caller can read. */
  readonly body: unknown;
  close(): void;
}

/** Resources that one request may follow. */
const mostFollowed = 100;

/** Addresses of resources in a request; those of other schemes are not ours. */
const listenedUris = (body: unknown): readonly string[] => {
  const wanted = readMember(readMember(readMember(body, "params"), "notifications"), "resourceSubscriptions");
  return Array.isArray(wanted) ? wanted.filter((uri) => typeof uri === "string" && uri.startsWith("fairlead://")) : [];
};

/** What cannot be read, or has no place left, is left out of the request, so that the acknowledgement says what is followed. */
export const listenTo = async (body: unknown, { source, follows, updated }: ListenParts): Promise<OpenFollows> => {
  const ends: (() => void)[] = [];
  const allowed = new Set<string>();
  const close = (): void => {
    for (const end of ends) end();
  };
  try {
    for (const uri of [...new Set(listenedUris(body))].slice(0, mostFollowed)) {
      const found = findResource(source.contracts, uri);
      if (found === undefined || !(await readFound(source, found)).ok) continue;
      const end = openFollow(found, uri, { source, follows, updated });
      if (end === undefined) continue;
      ends.push(end);
      allowed.add(uri);
    }
  } catch (cause) {
    close();
    throw cause;
  }
  return { body: withOnly(body, allowed), close };
};

/** What never changes takes no place. */
const openFollow = (found: FoundResource, uri: string, { source, follows, updated }: ListenParts) => {
  if (found.resource.changes === undefined) return () => {};
  const { signal: _, ...terms } = source.terms;
  const { id } = terms.principal;
  return follows.open({
    key: `${id} ${uri}`,
    owner: id,
    run: (follow) => followResource({ dispatch: source.dispatch, terms }, found, follow),
    changed: () => updated(uri),
  });
};

const withOnly = (body: unknown, allowed: ReadonlySet<string>): unknown => {
  if (!isRecord(body) || !isRecord(body.params) || !isRecord(body.params.notifications)) return body;
  const { notifications } = body.params;
  const wanted = notifications.resourceSubscriptions;
  if (!Array.isArray(wanted)) return body;
  const resourceSubscriptions = wanted.filter((uri) => !String(uri).startsWith("fairlead://") || allowed.has(uri));
  return { ...body, params: { ...body.params, notifications: { ...notifications, resourceSubscriptions } } };
};

/** The same on a connection that has one client: its messages say when it begins and ends. */
export class LineFollows {
  readonly #follows = new Follows(mostFollowed);
  readonly #open = new Map<RequestId, Promise<OpenFollows>>();
  readonly #readSource: () => ResourceSource;
  readonly #updated: (uri: string) => void;

  constructor(readSource: () => ResourceSource, updated: (uri: string) => void) {
    this.#readSource = readSource;
    this.#updated = updated;
  }

  take(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if (message.method === "notifications/cancelled") {
      const id = readMember(message.params, "requestId");
      if (typeof id === "string" || typeof id === "number") this.#end(id);
    }
    if (message.method !== "subscriptions/listen" || !("id" in message)) return;
    this.#end(message.id);
    const parts = { source: this.#readSource(), follows: this.#follows, updated: this.#updated };
    const listening = listenTo(message, parts);
    // One that failed follows nothing.
    listening.catch(() => {});
    this.#open.set(message.id, listening);
  }

  /** A request whose resources are being read at this moment follows none of them. */
  close(): void {
    this.#follows.close();
    this.#open.clear();
  }

  #end(id: RequestId): void {
    void this.#open.get(id)?.then(
      (listening) => listening.close(),
      () => {},
    );
    this.#open.delete(id);
  }
}
