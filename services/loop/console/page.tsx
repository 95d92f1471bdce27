/**
 * The page of sessions in the console: the open session of each project, live, and the runs of before, step by step. Built by `npm run page` into one ES
 * module, which the kernel serves at `/console/x/loop/` and the console imports.
 */
import {
  Badge,
  Card,
  CopyCommand,
  Empty,
  ErrorNote,
  Mono,
  PageHeader,
  readCallError,
  Time,
  usePageSearch,
} from "@fairlead/console/kit";
import { useCallback, useMemo } from "react";
import { api, type RunEntry } from "./api.ts";
import { phaseTitle } from "./phase-graph.ts";
import { phaseTone, type RunAddress, RunView } from "./run-view.tsx";
import { count } from "./words.ts";

const start = "fairlead session start --scope 'src/**'";

export default function SessionsPage() {
  const [search, open] = usePageSearch();
  const { project: wanted, run: wantedRun, tab, at, ticket, file } = search;
  const { data: listed, error } = api.useQuery("listProjects", {}, { every: 5_000 });
  const projects = listed?.projects ?? [];
  const project = projects.find(({ name }) => name === wanted) ?? projects.find(({ is_default }) => is_default);
  const { data, error: runsError } = api.useQuery(
    "listRuns",
    { project: project?.name, limit: 100 },
    { enabled: project !== undefined, every: 5_000 },
  );
  const runs = data?.runs ?? [];
  const runId = wantedRun ?? project?.run_id ?? runs[0]?.run_id;
  const place = useMemo<RunAddress>(
    () => ({
      ...(tab !== undefined && { tab }),
      ...(at !== undefined && { at }),
      ...(ticket !== undefined && { ticket }),
      ...(file !== undefined && { file }),
    }),
    [tab, at, ticket, file],
  );
  const name = project?.name;
  const onPlace = useCallback(
    (next: RunAddress, isStep = false) =>
      open(
        { ...(name !== undefined && { project: name }), ...(runId !== undefined && { run: runId }), ...next },
        { isStep },
      ),
    [open, name, runId],
  );
  const failure = error ?? runsError;
  return (
    <>
      <PageHeader title="Sessions" actions={<CopyCommand command="fairlead session status --follow" />}>
        {listed === undefined ? "Asking…" : summary(projects)}
      </PageHeader>
      <div className="flex flex-col gap-5">
        {failure !== null && <ErrorNote {...readCallError(failure)} />}
        {projects.length > 1 && (
          <Projects projects={projects} shown={name} onOpen={(next) => open({ project: next })} />
        )}
        {project?.problem != null && <ErrorNote code="project" message={project.problem} />}
        {data !== undefined && runs.length === 0 && (
          <Card>
            <Empty title="No session was started here yet">
              A session looks for improvements, makes tickets of them and has an agent do them one by one. Start one
              with <Mono>{start}</Mono>, or let an agent drive it: <Mono>fairlead loop run --agent 'claude -p'</Mono>.
            </Empty>
          </Card>
        )}
        {name !== undefined && runs.length > 0 && (
          <div className="grid items-start gap-5 lg:grid-cols-4">
            <Runs
              runs={runs}
              shown={runId}
              active={project?.run_id ?? null}
              onOpen={(run) => open({ project: name, run })}
            />
            <div className="min-w-0 lg:col-span-3">
              {runId !== undefined && (
                <RunView
                  key={`${name} ${runId} ${runId === project?.run_id}`}
                  project={name}
                  runId={runId}
                  isOpen={runId === project?.run_id}
                  place={place}
                  onPlace={onPlace}
                />
              )}
            </div>
          </div>
        )}
      </div>
    </>
  );
}

const summary = (projects: readonly { readonly run_id: string | null }[]): string => {
  const open = projects.filter(({ run_id }) => run_id !== null).length;
  return `${count(projects.length, "project")}, ${open === 0 ? "no session is open" : count(open, "open session")}`;
};

interface ProjectsProps {
  readonly projects: readonly {
    readonly name: string;
    readonly phase: string | null;
    readonly problem: string | null;
  }[];
  readonly shown: string | undefined;
  readonly onOpen: (name: string) => void;
}

const Projects = ({ projects, shown, onOpen }: ProjectsProps) => (
  <fieldset className="flex flex-wrap gap-2">
    <legend className="sr-only">Project</legend>
    {projects.map(({ name, phase, problem }) => (
      <button
        key={name}
        type="button"
        aria-pressed={name === shown}
        onClick={() => onOpen(name)}
        className={`flex items-center gap-2 rounded-md border bg-card px-3 py-1 text-sm hover:border-accent ${name === shown ? "border-accent font-medium" : "border-line"}`}
      >
        {name}
        {phase !== null && <Badge tone="accent">{phaseTitle(phase)}</Badge>}
        {problem !== null && <Badge tone="bad">✕ unreadable</Badge>}
      </button>
    ))}
  </fieldset>
);

interface RunsProps {
  readonly runs: readonly RunEntry[];
  readonly shown: string | undefined;
  readonly active: string | null;
  readonly onOpen: (run: string) => void;
}

const Runs = ({ runs, shown, active, onOpen }: RunsProps) => (
  <Card title={`Runs: ${runs.length}`}>
    <ul className="max-h-64 divide-y divide-line overflow-auto lg:max-h-none">
      {runs.map(({ run_id, started_at, phase, events }) => (
        <li key={run_id}>
          <button
            type="button"
            aria-current={run_id === shown}
            onClick={() => onOpen(run_id)}
            className={`block w-full px-4 py-2 text-left hover:bg-sunk ${run_id === shown ? "bg-accent-soft" : ""}`}
          >
            <span className="flex items-center justify-between gap-2">
              <span className="truncate text-sm">
                <Mono>{run_id}</Mono>
              </span>
              <Badge tone={phaseTone(phase, run_id !== active)}>
                {run_id === active ? "● " : ""}
                {phaseTitle(phase)}
              </Badge>
            </span>
            <span className="tabular block text-xs text-soft">
              <Time at={started_at} />, {count(events, "line")}
            </span>
          </button>
        </li>
      ))}
    </ul>
  </Card>
);
