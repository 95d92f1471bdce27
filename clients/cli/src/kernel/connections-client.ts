/** The connections of a running kernel, for the `conn` commands: asked, shown as rows, and told about when there is no such one. */
import { type Client, createClient } from "@fairlead/client";
import { type ConnectionsTypes, connections } from "@fairlead/client/connections";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { showLive } from "../terminal/live-view.ts";
import { meant, nearest } from "../text/suggest.ts";
import { withKernel } from "./connect.ts";
import { runningAddress } from "./kernel-client.ts";

export type ConnectionsClient = Client<ConnectionsTypes>;
export type Connection = ConnectionsTypes["list"]["output"][number];
export type ConnectionEvent = ConnectionsTypes["events"]["output"];

/** Runs `work` with a client of the kernel that runs already. */
export const askConnections = async <T>(
  context: Context,
  work: (client: ConnectionsClient) => Promise<T>,
): Promise<T> =>
  withKernel({ ...context, url: await runningAddress(context) }, ({ transport }) =>
    work(createClient<ConnectionsTypes>(connections, transport, { timeoutMs: context.timeoutMs ?? 10_000 })),
  );

/** What to say when there is no connection of that name; exit 6. */
export const noConnection = (name: string, known: readonly string[]): CommandError => {
  const hint = meant([nearest(name, known)], "run `fairlead conn ls` for the list");
  const message = `there is no connection ${JSON.stringify(name)}`;
  return new CommandError({ code: "not_found", exit: 6 }, { message, hint });
};

/** Rows for a table, the heading first. */
export const connectionRows = (list: readonly Connection[]): readonly (readonly string[])[] => [
  ["NAME", "STATE", "TOOLS", "CALLS", "ERA", "ENDPOINT", "TROUBLE"],
  ...list.map((connection) => {
    const { name, state, tools, calls, era, endpoint } = connection;
    return [name, state, String(tools), String(calls), era ?? "-", cut(endpoint), troubleOf(connection)];
  }),
];

const widest = 60;

/** A line tells more than one column of it. */
const cut = (text: string): string => (text.length <= widest ? text : `${text.slice(0, widest - 1)}…`);

/** Why it is not connected, how often it was tried and when it is tried next; and what is kept back. */
const troubleOf = ({ error, attempt, nextRetry, quarantined }: Connection): string =>
  [
    ...(error === null ? [] : [error]),
    ...(attempt === 0 ? [] : [`failed ${attempt === 1 ? "once" : `${attempt} times`}`]),
    ...(nextRetry === null ? [] : [`next try by ${nextRetry.slice(11, 19)} UTC`]),
    ...(quarantined.length === 0 ? [] : [`${quarantined.length} kept back`]),
  ].join("; ");

/** One connection in full, a line each. */
export const connectionLines = (connection: Connection): readonly (readonly string[])[] =>
  Object.entries(connection).flatMap(([key, value]) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    if (Array.isArray(value)) return [[key, value.join(", ")]];
    if (typeof value !== "object") return [[key, String(value)]];
    const { message, reason, hint, at } = value;
    return [[key, `${message} (${reason}, ${at})${hint === null ? "" : `; ${hint}`}`]];
  });

/** A place where a definition differs, as one line. */
export const changeLine = ({ path, was, now }: Change): string =>
  `${path}: ${was === "" ? "nothing" : was} -> ${now === "" ? "nothing" : now}`;

interface Change {
  readonly path: string;
  readonly was: string;
  readonly now: string;
}

/** An event as one line for people, with a line more for each place where a definition has changed. */
const eventLines = ({ seq, at, event }: ConnectionEvent): string => {
  const { type, ...rest } = event;
  const name = "name" in rest ? rest.name : "";
  const changes = "changes" in rest ? rest.changes : [];
  const details = Object.entries(rest)
    .filter(
      ([key, value]) => !["name", "reason", "changes"].includes(key) && !(Array.isArray(value) && value.length === 0),
    )
    .map(([key, value]) => `${key}=${Array.isArray(value) ? value.join(",") : String(value)}`);
  const line = [String(seq), at, type, name, ...details].filter((part) => part !== "").join(" ");
  return [line, ...changes.map((change) => `  ${change.tool} ${changeLine(change)}`)].join("\n");
};

export interface Watched {
  /** One connection; all when left out. */
  readonly name?: string;
  /** How it stands, or how they stand, as a text. */
  readonly picture: () => Promise<string>;
}

/**
 * Resolves once it listens, so that nothing is missed of what happens while a list is printed. The function it gives shows what happens
 * until it is interrupted or the kernel ends: on a terminal as a picture that stays true, elsewhere as lines.
 */
export const followConnections = async (
  context: Context,
  client: ConnectionsClient,
  { name, picture }: Watched,
): Promise<() => Promise<void>> => {
  const { io, json } = context;
  const { signal } = io;
  const input = { snapshot: true, ...(name !== undefined && { name }) };
  const events = client.events(input, { signal })[Symbol.asyncIterator]();
  // How things are: whoever asked prints that in words of its own.
  await events.next();
  const happens = async function* (): AsyncGenerator<string> {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      yield json ? JSON.stringify(next.value) : eventLines(next.value);
    }
  };
  return async () => {
    try {
      if (io.tty.out && !json) await showLive(io, { picture, happens: happens() });
      else for await (const text of happens()) io.out(text);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
};
