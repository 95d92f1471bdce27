/**
 * The bytes that the kernel holds for its clients: answers that wait for their readers, bodies that are being read, requests that wait
 * their turn. All of them share one budget; where it is used up, the connection that holds the most is cut off.
 *
 * Not here: readers that take too little for too long (`slow-readers.ts`).
 */
import type { ServerResponse } from "node:http";
import type { ConnectionState } from "./connection-state.ts";

export interface ByteLimits {
  /** Bytes held for all connections together. */
  readonly total: number;
  /** Bytes that may wait for one reader before a further write cuts it off. A single answer may be larger. */
  readonly reader: number;
}

export const defaultByteLimits: ByteLimits = { total: 134_217_728, reader: 16_777_216 };

export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #cut: (connection: ConnectionState) => void;
  readonly #holding = new Set<ConnectionState>();
  #total = 0;

  /** `cut` ends a connection; it is reported there. */
  constructor(limits: ByteLimits, cut: (connection: ConnectionState) => void) {
    this.#limits = limits;
    this.#cut = cut;
  }

  /** Bytes held at the last look at each connection. */
  get total(): number {
    return this.#total;
  }

  /** Counts a connection again. To be called whenever it may hold more than before. */
  update(connection: ConnectionState): void {
    this.#count(connection);
    if (this.#total > this.#limits.total) this.#relieve();
  }

  /** True while the reader may be sent more; one that lets too much wait is cut off. */
  mayWrite(connection: ConnectionState): boolean {
    if (connection.counted <= this.#limits.reader) return true;
    this.#count(connection);
    if (connection.counted <= this.#limits.reader) return true;
    this.#end(connection);
    return false;
  }

  /** Forgets a connection that has ended. */
  leave(connection: ConnectionState): void {
    this.#total -= connection.counted;
    connection.counted = 0;
    this.#holding.delete(connection);
  }

  #count(connection: ConnectionState): void {
    const { bytes } = connection;
    if (bytes === connection.counted) return;
    this.#total += bytes - connection.counted;
    connection.counted = bytes;
    if (bytes === 0) this.#holding.delete(connection);
    else this.#holding.add(connection);
  }

  /** Readers have taken bytes since they were counted: what is over the budget after that is cut. */
  #relieve(): void {
    for (const connection of this.#holding) this.#count(connection);
    while (this.#total > this.#limits.total) {
      const greediest = largest(this.#holding);
      if (greediest === undefined) return;
      this.#end(greediest);
    }
  }

  #end(connection: ConnectionState): void {
    this.leave(connection);
    this.#cut(connection);
  }
}

const largest = (connections: Iterable<ConnectionState>): ConnectionState | undefined => {
  let found: ConnectionState | undefined;
  for (const each of connections) if (found === undefined || each.counted > found.counted) found = each;
  return found;
};

/** Where the writers of streams find the budget of their connection. */
const metered = new WeakMap<object, { readonly budget: ByteBudget; readonly connection: ConnectionState }>();

export const meter = (budget: ByteBudget, connection: ConnectionState): void =>
  void metered.set(connection.socket, { budget, connection });

/** True while more may be written to this response. */
export const mayWrite = ({ req }: ServerResponse): boolean => {
  const found = metered.get(req.socket);
  return found === undefined || found.budget.mayWrite(found.connection);
};

/** To be called after a write to a response that stays open. */
export const noteWrite = ({ req }: ServerResponse): void => {
  const found = metered.get(req.socket);
  found?.budget.update(found.connection);
};

/** Counts bytes of a body that is being read; negative ones when it has been handed on. */
export const noteBody = (socket: object, bytes: number): void => {
  const found = metered.get(socket);
  if (found === undefined) return;
  found.connection.bodyBytes += bytes;
  found.budget.update(found.connection);
};
