/** One service: its state, its children, its procedures with their figures, what it reports of itself, and its latest lines of log. */
import { Link, useParams } from "@tanstack/react-router";
import { readCallError } from "../api/client.ts";
import { useDetails, useIsAdmin, useRestart, useService, useServices, useStats } from "../api/kernel.ts";
import { useLive } from "../api/live.ts";
import { LogLines } from "../calls/log-lines.tsx";
import { duration } from "../text/relative-time.ts";
import { JsonTree } from "../ui/json-tree.tsx";
import {
  Badge,
  Button,
  Card,
  CopyCommand,
  Empty,
  ErrorNote,
  Mono,
  PageHeader,
  StateBadge,
  Time,
} from "../ui/parts.tsx";

export const ServicePage = () => {
  const { service } = useParams({ from: "/services/$service" });
  const status = useServices().data?.services.find(({ id }) => id === service);
  const described = useService(service);
  const isAdmin = useIsAdmin();
  const restart = useRestart();
  const logs = useLive().logs.filter((event) => event.service === service);
  if (described.error !== null) return <ErrorNote {...readCallError(described.error)} />;
  return (
    <>
      <PageHeader
        title={
          <span className="flex items-center gap-3">
            {service} {status !== undefined && <StateBadge state={status.state} degraded={status.degraded !== null} />}
          </span>
        }
        actions={
          <>
            <CopyCommand command={`fairlead services restart ${service}`} />
            <Button
              tone="main"
              disabled={!isAdmin || restart.isPending || service === "kernel"}
              onClick={() => restart.mutate({ service })}
            >
              Restart
            </Button>
          </>
        }
      >
        {status?.summary}
      </PageHeader>
      {restart.error !== null && <ErrorNote {...readCallError(restart.error)} />}
      <div className="flex flex-col gap-5">
        {status?.degraded != null && (
          <Card title="Only a part of it works">
            <div className="p-4">
              <p>{status.degraded.why}</p>
              <p className="mt-1 text-soft">To fix it: {status.degraded.fix}</p>
            </div>
          </Card>
        )}
        {status !== undefined && status.children.length > 0 && (
          <Card title="Children">
            <ul className="divide-y divide-line">
              {status.children.map(({ id, state, since, restarts, pid }) => (
                <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
                  <Mono>{id}</Mono>
                  <span className="flex items-center gap-4 text-sm text-soft">
                    <span className="tabular">{pid === null ? "" : `pid ${pid}`}</span>
                    <span className="tabular">{restarts} restarts</span>
                    <Time at={since} />
                    <StateBadge state={state} />
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        <Procedures service={service} />
        <div className="grid gap-5 lg:grid-cols-2">
          <Card
            title="What it wrote to its log"
            actions={
              <Link to="/logs" className="text-sm text-accent hover:underline">
                All logs
              </Link>
            }
          >
            {logs.length === 0 ? (
              <Empty title="No lines yet">Lines of its log and of its children's stderr appear here.</Empty>
            ) : (
              <LogLines lines={logs.slice(-50)} label={`Log of ${service}`} />
            )}
          </Card>
          <Details service={service} />
        </div>
      </div>
    </>
  );
};

const Procedures = ({ service }: { readonly service: string }) => {
  const { data } = useService(service);
  const stats = new Map(useStats().data?.procedures.map((each) => [each.procedure, each]));
  return (
    <Card title="Procedures">
      <div className="overflow-x-auto">
        <table className="w-full text-left">
          <thead className="border-b border-line text-xs text-soft">
            <tr>
              {["Procedure", "Calls", "Failed", "p50", "p99", "Running"].map((title, index) => (
                <th key={title} scope="col" className={`px-4 py-2 font-medium ${index > 0 ? "text-right" : ""}`}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {data?.procedures.map(({ name, kind, summary }) => {
              const found = stats.get(name);
              const hour = found?.recent.find(({ minutes }) => minutes === 60);
              const time = (ms: number | null | undefined): string => (ms == null ? "–" : duration(ms));
              return (
                <tr key={name}>
                  <td className="px-4 py-2">
                    <Link
                      to="/contracts/$procedure"
                      params={{ procedure: name }}
                      className="font-mono text-[0.92em] hover:underline"
                    >
                      {name}
                    </Link>{" "}
                    {kind !== "query" && <Badge tone={kind === "mutation" ? "warn" : "accent"}>{kind}</Badge>}
                    <p className="text-sm text-soft">{summary}</p>
                  </td>
                  <td className="tabular px-4 py-2 text-right">{found?.calls ?? 0}</td>
                  <td className={`tabular px-4 py-2 text-right ${(found?.failures ?? 0) > 0 ? "text-bad" : ""}`}>
                    {found?.failures ?? 0}
                  </td>
                  <td className="tabular px-4 py-2 text-right whitespace-nowrap">{time(hour?.p50Ms)}</td>
                  <td className="tabular px-4 py-2 text-right whitespace-nowrap">{time(hour?.p99Ms)}</td>
                  <td className="tabular px-4 py-2 text-right">{found?.running ?? 0}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Card>
  );
};

const Details = ({ service }: { readonly service: string }) => {
  const { data } = useDetails(service);
  const details = data?.details ?? {};
  return (
    <Card title="What it reports of itself">
      {Object.keys(details).length === 0 ? (
        <Empty title="It reports nothing">
          A service reports versions and paths with <Mono>info</Mono>.
        </Empty>
      ) : (
        <div className="overflow-x-auto p-4">
          <JsonTree value={details} />
        </div>
      )}
    </Card>
  );
};
