/**
 * Several connections for questions of many callers: each asks one thing at a time, and a question goes to the connection with the fewest before it.
 *
 * Not here: a connection (`connection.ts`).
 */
import type { Ask, PostgresConnection } from "./connection.ts";

interface Turn {
  readonly connection: Pick<PostgresConnection, "ask">;
  waiting: number;
  last: Promise<unknown>;
}

export const inTurns = (connections: readonly Pick<PostgresConnection, "ask">[]): Ask => {
  const turns: Turn[] = connections.map((connection) => ({ connection, waiting: 0, last: Promise.resolve() }));
  return <Row>(...question: Parameters<Ask>) => {
    const turn = turns.reduce((least, other) => (other.waiting < least.waiting ? other : least));
    turn.waiting += 1;
    const answer = turn.last
      .then(() => turn.connection.ask<Row>(...question))
      .finally(() => {
        turn.waiting -= 1;
      });
    turn.last = answer.catch(() => undefined);
    return answer;
  };
};
