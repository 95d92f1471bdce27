/**
 * All connections of a server: how many there may be, in all, of one address and of one principal, and which has to go for a new one.
 *
 * Whoever has sent a whole request and waits for its answer stays. The first to go is the oldest connection that never sent one, then
 * the one that has rested longest: slow clients cannot keep others out, however many they are. Not here: bytes (`byte-budget.ts`).
 */
import type { Socket } from "node:net";
import { ConnectionState } from "./connection-state.ts";

export interface ConnectionLimits {
  /** Connections in all. */
  readonly most: number;
  /** Of one address; loopback and Unix sockets, where everyone has the same one, may take all. */
  readonly perAddress: number;
  /** Of one principal; the caller without a token may take all. */
  readonly perPrincipal: number;
}

export const defaultConnectionLimits: ConnectionLimits = { most: 2_000, perAddress: 500, perPrincipal: 500 };

/** Milliseconds that headers and whole requests may take to arrive. */
interface ArrivalClocks {
  readonly headers: number;
  readonly request: number;
}

/** Connections that share a limit, oldest first. */
class Group {
  /** Those that have not sent a whole request yet. */
  readonly fresh = new Set<ConnectionState>();
  readonly proven = new Set<ConnectionState>();

  get size(): number {
    return this.fresh.size + this.proven.size;
  }

  add(connection: ConnectionState): void {
    (connection.hasArrived ? this.proven : this.fresh).add(connection);
  }

  delete(connection: ConnectionState): void {
    this.fresh.delete(connection);
    this.proven.delete(connection);
  }
}

export class ConnectionTable {
  readonly #limits: ConnectionLimits;
  readonly #all = new Group();
  readonly #byAddress = new Map<string, Group>();
  readonly #byPrincipal = new Map<string, Group>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#all.size;
  }

  *[Symbol.iterator](): Iterator<ConnectionState> {
    yield* this.#all.fresh;
    yield* this.#all.proven;
  }

  /** Takes a connection in, in place of another where the table is full; `undefined` when all of them are at work. */
  admit(socket: Socket): ConnectionState | undefined {
    const connection = new ConnectionState(socket);
    const { address } = connection;
    const own = this.#byAddress.get(address) ?? new Group();
    if (!isShared(address) && own.size >= this.#limits.perAddress && !this.#evict(own)) return undefined;
    if (this.#all.size >= this.#limits.most && !this.#evict(this.#all)) return undefined;
    this.#all.add(connection);
    own.add(connection);
    this.#byAddress.set(address, own);
    return connection;
  }

  /** Counts a connection for the principal of its first request; false when that one has too many at work. */
  claim(connection: ConnectionState, principal: string): boolean {
    const own = this.#byPrincipal.get(principal) ?? new Group();
    if (own.size >= this.#limits.perPrincipal && !this.#evict(own)) return false;
    connection.principal = principal;
    own.add(connection);
    this.#byPrincipal.set(principal, own);
    return true;
  }

  leave(connection: ConnectionState): void {
    this.#all.delete(connection);
    leaveGroup(this.#byAddress, connection.address, connection);
    if (connection.principal !== undefined) leaveGroup(this.#byPrincipal, connection.principal, connection);
  }

  /** How long requests may take to arrive: less and less from half of the table on, down to a tenth. */
  clocks({ headers, request }: ArrivalClocks): ArrivalClocks {
    const free = Math.max(0, 1 - this.#all.size / this.#limits.most);
    const share = Math.max(0.1, Math.min(1, 2 * free));
    return { headers: Math.ceil(headers * share), request: Math.ceil(request * share) };
  }

  /** Ends one connection of a group; false when all are at work. */
  #evict(group: Group): boolean {
    const victim = this.#oldestFresh(group) ?? longestResting(group.proven);
    if (victim === undefined) return false;
    this.leave(victim);
    victim.cut();
    return true;
  }

  /** On its way it moves those whose request has arrived, so that each is looked at once. */
  #oldestFresh(group: Group): ConnectionState | undefined {
    for (const connection of group.fresh) {
      if (!connection.hasArrived && !connection.isWorking) return connection;
      connection.hasArrived = true;
      group.fresh.delete(connection);
      group.proven.add(connection);
    }
    return undefined;
  }
}

const leaveGroup = (groups: Map<string, Group>, name: string, connection: ConnectionState): void => {
  const group = groups.get(name);
  group?.delete(connection);
  if (group?.size === 0) groups.delete(name);
};

const longestResting = (connections: Iterable<ConnectionState>): ConnectionState | undefined => {
  let found: ConnectionState | undefined;
  for (const each of connections) {
    if (!each.isWorking && (found === undefined || each.lastUsed < found.lastUsed)) found = each;
  }
  return found;
};

/** An address that many clients have. */
const isShared = (address: string): boolean => address === "" || address.startsWith("127.") || address === "::1";
