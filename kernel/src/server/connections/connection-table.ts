/**
 * All connections of a server: how many there may be, in all, of one address and of one principal, and which has to go for a new one.
 *
 * Whoever has sent a whole request and waits for its answer stays. The first to go is the oldest whose last answer is written, then that
 * which never sent a whole request, then the one that has rested longest: slow clients cannot keep others out, however many they are. Not here: bytes (`byte-budget.ts`).
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
  /** Those that have been answered for the last time. */
  readonly lingering = new Set<ConnectionState>();

  get size(): number {
    return this.fresh.size + this.proven.size + this.lingering.size;
  }

  add(connection: ConnectionState): void {
    if (connection.lingersUntil !== undefined) this.lingering.add(connection);
    else (connection.hasArrived ? this.proven : this.fresh).add(connection);
  }

  /** False when it was not there. */
  delete(connection: ConnectionState): boolean {
    return [this.fresh, this.proven, this.lingering].some((each) => each.delete(connection));
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
    yield* this.#all.lingering;
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

  /** From now on it is the first to go. */
  linger(connection: ConnectionState, until: number): void {
    connection.lingersUntil = until;
    const { address, principal = "" } = connection;
    for (const group of [this.#all, this.#byAddress.get(address), this.#byPrincipal.get(principal)]) {
      if (group?.delete(connection)) group.add(connection);
    }
  }

  /** How long requests may take to arrive. */
  clocks({ headers, request }: ArrivalClocks): ArrivalClocks {
    return { headers: this.shortened(headers), request: this.shortened(request) };
  }

  /** A time that clients have: less and less from half of the table on, down to a tenth. Milliseconds. */
  shortened(ms: number): number {
    const free = Math.max(0, 1 - this.#all.size / this.#limits.most);
    return Math.ceil(ms * Math.max(0.1, Math.min(1, 2 * free)));
  }

  /** Ends one connection of a group; false when all are at work. */
  #evict(group: Group): boolean {
    const [lingering] = group.lingering;
    const victim = lingering ?? this.#oldestFresh(group) ?? longestResting(group.proven);
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
