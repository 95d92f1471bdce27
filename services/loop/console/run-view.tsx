/** One run: where it is, what it may still use, its tickets, its log and what it left; now, or as it was after any line. */
import { Badge, Card, CopyCommand, ErrorNote, Mono, readCallError, Time, type Tone } from "@fairlead/console/kit";
import { useCallback } from "react";
import { api, type SessionLine, type RunSnapshot as View } from "./api.ts";
import { Board } from "./board.tsx";
import { Budgets } from "./budgets.tsx";
import { Controls } from "./controls.tsx";
import { PhaseDiagram } from "./phase-diagram.tsx";
import { phaseTitle } from "./phase-graph.ts";
import { ReplayBar } from "./replay-bar.tsx";
import { RunFiles } from "./run-files.tsx";
import { useFollow, useRunLines } from "./run-lines.ts";
import { Timeline } from "./timeline.tsx";

/** What the address says of a run. */
export interface RunAddress {
  readonly tab?: string;
  readonly at?: string;
  readonly ticket?: string;
  readonly file?: string;
}

interface RunProps {
  readonly project: string;
  readonly runId: string;
  /** Whether it is the project's open session. */
  readonly isOpen: boolean;
  readonly place: RunAddress;
  /** `isStep`: it replaces the entry of the browser's history. */
  readonly onPlace: (place: RunAddress, isStep?: boolean) => void;
}

const tabs = [
  { id: "board", title: "Tickets" },
  { id: "log", title: "Log" },
  { id: "files", title: "Prompts, diffs, artifacts" },
] as const;

export const RunView = ({ project, runId, isOpen, place, onPlace }: RunProps) => {
  const { lines, add, problem } = useRunLines(project, runId, !isOpen);
  const at = Number(place.at) > 0 ? Number(place.at) : undefined;
  const { data: view, error } = api.useQuery("viewRun", { project, run_id: runId, ...(at !== undefined && { at }) });
  const status = api.useQuery("sessionStatus", { project }, { enabled: isOpen, every: 10_000 });
  const { tab = "board", ticket, file } = place;
  const onMoment = useCallback(
    (next: number | undefined) => {
      const { at: _, ...rest } = place;
      onPlace(next === undefined ? rest : { ...rest, at: String(next) }, true);
    },
    [place, onPlace],
  );
  const live = isOpen && at === undefined ? status.data : undefined;
  const last = Math.max(view?.last ?? 1, lines.at(-1)?.seq ?? 1);
  return (
    <article aria-label={runId} className="flex min-w-0 flex-col gap-5">
      {isOpen && <Follow project={project} onLines={add} />}
      {error !== null && <ErrorNote {...readCallError(error)} />}
      {problem !== "" && <ErrorNote code="log" message={problem} />}
      {view !== undefined && (
        <>
          <ReplayBar lines={lines} at={at} last={last} isOpen={isOpen} onMoment={onMoment} />
          <Card title={<Title view={view} />} actions={<CopyCommand command={`fairlead run show ${runId}`} />}>
            <PhaseDiagram phase={view.phase} lines={lines} at={at === undefined ? last : view.at} />
            <div className="flex flex-col gap-3 border-t border-line p-4">
              <Facts view={view} />
              {live !== undefined && <Controls project={project} status={live} />}
            </div>
          </Card>
          <Budgets view={view} lines={lines} status={live} />
          <Tabs tab={tab} onTab={(next) => onPlace({ ...place, tab: next })} />
          {tab === "log" ? (
            <Timeline lines={lines} tickets={view.tickets} at={at === undefined ? 0 : at} onMoment={onMoment} />
          ) : tab === "files" ? (
            <RunFiles
              project={project}
              runId={runId}
              tickets={view.tickets}
              path={file}
              onOpen={(path) => onPlace({ ...place, file: path })}
            />
          ) : (
            <Board
              project={project}
              runId={runId}
              tickets={view.tickets}
              open={ticket}
              onOpen={(next) => {
                const { ticket: _, ...rest } = place;
                onPlace(next === undefined ? rest : { ...rest, ticket: next });
              }}
            />
          )}
        </>
      )}
    </article>
  );
};

/** Adds lines as they come, and has what they changed asked for again. */
const Follow = ({
  project,
  onLines,
}: {
  readonly project: string;
  readonly onLines: (lines: readonly SessionLine[]) => void;
}) => {
  const refresh = api.useRefresh();
  const { state, problem } = useFollow(project, (lines) => {
    onLines(lines);
    for (const name of ["viewRun", "sessionStatus", "listRuns", "listProjects", "listRunFiles"] as const) refresh(name);
  });
  if (state === "lost")
    return <p className="rounded-md bg-warn-soft p-3 text-warn">The kernel does not answer; this is how it was.</p>;
  return problem === undefined ? null : <ErrorNote code="stream" message={problem} />;
};

const endTones: Readonly<Record<string, Tone>> = { DONE: "good" };

export const phaseTone = (phase: string, isOver: boolean): Tone => (isOver ? (endTones[phase] ?? "bad") : "accent");

const isTerminal = (phase: string): boolean =>
  phase === "DONE" || phase.startsWith("FAILED") || phase.startsWith("BLOCKED");

const Title = ({ view: { run_id, phase } }: { readonly view: View }) => (
  <span className="flex flex-wrap items-center gap-2">
    <Mono>{run_id}</Mono>
    <Badge tone={phaseTone(phase, isTerminal(phase))}>{phaseTitle(phase)}</Badge>
  </span>
);

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const Facts = ({ view: { state, ended_at } }: { readonly view: View }) => {
  const categories = Array.isArray(state.categories) ? state.categories.map(text).join(", ") : "";
  const facts: readonly (readonly [string, string])[] = [
    ["Scope", text(state.scope)],
    ["Looks for", text(state.formula) === "" ? categories : `${text(state.formula)}: ${categories}`],
    ["Verified by", state.qa === "server" ? "the server" : "the agent"],
    ["Stopped because", text(state.stop_reason)],
  ];
  return (
    <dl className="grid gap-x-3 gap-y-1 text-sm sm:grid-cols-2">
      {facts
        .filter(([, value]) => value !== "")
        .map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="inline text-soft">{label}: </dt>
            <dd className="inline break-words">{value}</dd>
          </div>
        ))}
      <div>
        <dt className="inline text-soft">Begun: </dt>
        <dd className="inline">
          <Time at={text(state.started_at)} />
        </dd>
      </div>
      {ended_at !== null && (
        <div>
          <dt className="inline text-soft">Ended: </dt>
          <dd className="inline">
            <Time at={ended_at} />
          </dd>
        </div>
      )}
    </dl>
  );
};

const Tabs = ({ tab, onTab }: { readonly tab: string; readonly onTab: (tab: string) => void }) => (
  <div className="flex flex-wrap gap-1" role="tablist" aria-label="Of this run">
    {tabs.map(({ id, title }) => (
      <button
        key={id}
        type="button"
        role="tab"
        aria-selected={id === tab}
        onClick={() => onTab(id)}
        className={`h-8 rounded-md px-3 text-sm ${id === tab ? "bg-accent-soft font-medium text-accent" : "text-soft hover:bg-sunk"}`}
      >
        {title}
      </button>
    ))}
  </div>
);
