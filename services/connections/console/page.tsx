/**
 * The page of connections in the console: what is wanted and what is, live. Built by `npm run page` into one ES module, which the kernel serves at
 * `/console/x/connections/` and the console imports.
 */
import {
  Badge,
  Button,
  Card,
  CopyCommand,
  Empty,
  ErrorNote,
  Mono,
  PageHeader,
  readCallError,
  takeArrival,
  useIsAdmin,
  useNow,
  usePageSearch,
} from "@fairlead/console/kit";
import { useEffect, useRef, useState } from "react";
import { AddConnections } from "./add-connections.tsx";
import { api, type ConnectionStatus, type NumberedEvent } from "./api.ts";
import { ConnectionDetail } from "./connection-detail.tsx";
import { Timeline } from "./timeline.tsx";
import { actualText, count, eventName, eventText, eventTitle, signs, tones } from "./words.ts";

const mostEvents = 1_000;

/** All that is kept of what happened, and what happens. */
const useEvents = () => {
  const [events, setEvents] = useState<readonly NumberedEvent[]>([]);
  const refresh = api.useRefresh();
  const { state } = api.useStream("events", { after: 0 }, (added) => {
    setEvents((before) => [...before, ...added].slice(-mostEvents));
    for (const name of ["list", "tools", "quarantine"] as const) refresh(name);
  });
  useEffect(() => {
    if (state === "open") refresh("list");
  }, [state, refresh]);
  return { events, state };
};

export default function ConnectionsPage() {
  const [{ name }, open] = usePageSearch();
  const [isAdding, setAdding] = useState(false);
  const mayAct = useIsAdmin();
  const { events, state } = useEvents();
  const { data, error } = api.useQuery("list", {}, { every: 2_000 });
  const connections = data ?? [];
  const shown = connections.find((each) => each.name === name) ?? (name === undefined ? connections[0] : undefined);
  const latest = events.at(-1);
  return (
    <>
      <PageHeader
        title="Connections"
        actions={
          <>
            <Button tone="main" disabled={!mayAct} onClick={() => setAdding(true)}>
              Add
            </Button>
            <CopyCommand command="fairlead conn ls --watch" />
          </>
        }
      >
        {data === undefined ? "Asking…" : summary(connections)}
      </PageHeader>
      <p role="status" className="sr-only">
        {latest !== undefined &&
          `${eventName(latest.event) ?? ""} ${eventTitle(latest.event)} ${eventText(latest.event)}`}
      </p>
      <div className="flex flex-col gap-5">
        <FinishedLogin onDone={(finished) => open({ name: finished })} />
        {error !== null && <ErrorNote {...readCallError(error)} />}
        {state === "lost" && (
          <p className="rounded-md bg-warn-soft p-3 text-warn">The kernel does not answer; this is how it was.</p>
        )}
        {isAdding && <AddConnections mayAct={mayAct} onDone={() => setAdding(false)} />}
        {data?.length === 0 && !isAdding && (
          <Card>
            <Empty title="There is no connection">
              Add an upstream MCP server by its address, or write it into <Mono>.mcp.json</Mono>: its tools become this
              kernel's tools.
            </Empty>
          </Card>
        )}
        {connections.length > 0 && (
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <ul className="flex min-w-0 flex-col gap-3">
              {connections.map((each) => (
                <Tile
                  key={each.name}
                  connection={each}
                  isShown={each.name === shown?.name}
                  onOpen={() => open({ name: each.name })}
                />
              ))}
            </ul>
            {shown === undefined ? (
              <Card>
                <Empty title={`There is no ${name}`}>It was removed. Choose another one.</Empty>
              </Card>
            ) : (
              <ConnectionDetail key={shown.name} connection={shown} events={events} mayAct={mayAct} />
            )}
          </div>
        )}
        <Card title="Notifications">
          <Timeline events={events} />
        </Card>
      </div>
    </>
  );
}

const summary = (connections: readonly ConnectionStatus[]): string => {
  const up = connections.filter(({ state }) => state === "connected").length;
  const held = connections.filter(({ quarantined }) => quarantined.length > 0).length;
  if (connections.length === 0) return "Upstream MCP servers, whose tools this kernel relays";
  const all = `${up} of ${count(connections.length, "connection")} up`;
  return held === 0 ? all : `${all}, ${held} with tools kept back`;
};

interface TileProps {
  readonly connection: ConnectionStatus;
  readonly isShown: boolean;
  readonly onOpen: () => void;
}

const Tile = ({ connection, isShown, onOpen }: TileProps) => {
  const { name, state, endpoint, lastError, quarantined } = connection;
  const now = useNow(500);
  return (
    <li>
      <button
        type="button"
        aria-current={isShown}
        onClick={onOpen}
        className={`block w-full rounded-lg border bg-card p-4 text-left hover:border-accent ${isShown ? "border-accent" : "border-line"}`}
      >
        <span className="flex items-center justify-between gap-2">
          <span className="font-semibold break-words">{name}</span>
          <Badge tone={tones[state]}>
            <span aria-hidden="true">{signs[state]}</span> {state}
          </Badge>
        </span>
        <span className="block truncate text-xs text-soft">
          <Mono>{endpoint}</Mono>
        </span>
        <span className="tabular mt-2 block text-sm break-words">{actualText(connection, now)}</span>
        {state !== "connected" && lastError !== null && (
          <span className="block text-sm text-bad break-words">{lastError.message}</span>
        )}
        {quarantined.length > 0 && (
          <span className="mt-2 block">
            <Badge tone="warn">{count(quarantined.length, "tool")} kept back</Badge>
          </span>
        )}
      </button>
    </li>
  );
};

/** Ends a login: the browser has come back from the upstream's own page. */
const FinishedLogin = ({ onDone }: { readonly onDone: (name: string) => void }) => {
  const finish = api.useMutation("finishLogin");
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const query = takeArrival();
    const parameters = new URLSearchParams(query);
    const name = parameters.get("login");
    if (name === null || !(parameters.has("code") || parameters.has("error"))) return;
    // What came back with the address is used once and does not stay in it.
    onDone(name);
    finish.mutate({ name, query });
  });
  return finish.error === null ? null : <ErrorNote {...readCallError(finish.error)} />;
};
