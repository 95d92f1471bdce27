/** The overview: whether all is well, what is not and why, and what just happened. */
import { Link } from "@tanstack/react-router";
import { type ServiceStatus, useIsAdmin, useProcess, useRestart, useServices, useStats } from "../api/kernel.ts";
import { type LiveEvent, ownProcedures, useLive } from "../api/live.ts";
import { noticeText } from "../calls/notice.ts";
import { byteSize, duration } from "../text/relative-time.ts";
import { Figure } from "../ui/form.tsx";
import { Badge, Button, Card, Empty, Mono, PageHeader, StateBadge, Time, useNow } from "../ui/parts.tsx";
import { Sparkline } from "../ui/sparkline.tsx";

const Figures = () => {
  const { perSecond } = useLive();
  const { data: stats } = useStats();
  const { data: process } = useProcess();
  const now = useNow();
  const last = Math.floor(now / 1_000);
  const recent = perSecond.filter(({ second }) => second > last - 10);
  const rate = recent.reduce((sum, { calls }) => sum + calls, 0) / 10;
  const others = stats?.procedures.filter(
    ({ procedure, kind }) => kind !== "subscription" && !ownProcedures.has(procedure),
  );
  const minute = others?.map(({ recent: windows }) => windows.find(({ minutes }) => minutes === 5)) ?? [];
  const calls = minute.reduce((sum, each) => sum + (each?.calls ?? 0), 0);
  const failures = minute.reduce((sum, each) => sum + (each?.failures ?? 0), 0);
  const slowest = Math.max(0, ...minute.map((each) => each?.p99Ms ?? 0));
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
      <Figure label="Calls a second" value={rate.toFixed(1)} note="last 10 seconds" />
      <Figure
        label="Failed, last 5 min"
        value={calls === 0 ? "0" : `${((100 * failures) / calls).toFixed(1)} %`}
        note={`${failures} of ${calls} calls`}
      />
      <Figure label="Slowest p99" value={duration(slowest)} note="of all procedures, 5 min" />
      <Figure
        label="Event loop lag"
        value={process?.lag === undefined || process.lag === null ? "…" : duration(process.lag.p99Ms)}
        note={process?.lag == null ? "measured from now on" : `p99; longest ${duration(process.lag.maxMs)}`}
      />
      <Figure
        label="Memory"
        value={process === undefined ? "…" : byteSize(process.rssBytes)}
        note={
          process === undefined ? "" : `heap ${byteSize(process.heapUsedBytes)}; CPU ${Math.round(process.cpu * 100)} %`
        }
      />
    </div>
  );
};

/** What is not well, why, and the button that fixes it. */
const Problems = ({ services }: { readonly services: readonly ServiceStatus[] }) => {
  const isAdmin = useIsAdmin();
  const restart = useRestart();
  const problems = services.filter(
    ({ state, degraded }) => state === "Failed" || state === "Backoff" || degraded !== null,
  );
  if (problems.length === 0) return null;
  return (
    <Card title="Needs attention">
      <ul className="divide-y divide-line">
        {problems.map(({ id, state, degraded, nextStartAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                <Link to="/services/$service" params={{ service: id }} className="hover:underline">
                  {id}
                </Link>
                <StateBadge state={state} degraded={degraded !== null} />
              </p>
              <p className="mt-0.5 text-soft break-words">
                {degraded !== null
                  ? `${degraded.why}. To fix it: ${degraded.fix}`
                  : state === "Failed"
                    ? "It failed too often and stays down until somebody starts it."
                    : "It failed and is started again by itself."}
                {nextStartAt !== null && (
                  <>
                    {" "}
                    Next start <Time at={nextStartAt} />.
                  </>
                )}
              </p>
            </div>
            <Button
              tone="main"
              disabled={!isAdmin || restart.isPending}
              title={isAdmin ? undefined : "Your token may read and not restart"}
              onClick={() => restart.mutate({ service: id })}
            >
              Restart {id}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const Tiles = ({ services }: { readonly services: readonly ServiceStatus[] }) => (
  <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
    {services.map(({ id, summary, state, since, degraded, procedures, children, restarts }) => (
      <li key={id}>
        <Link
          to="/services/$service"
          params={{ service: id }}
          className="block h-full rounded-lg border border-line bg-card p-4 transition hover:border-accent"
        >
          <span className="flex items-center justify-between gap-2">
            <span className="font-semibold">{id}</span>
            <StateBadge state={state} degraded={degraded !== null} />
          </span>
          <span className="mt-1 line-clamp-2 min-h-10 text-sm text-soft">{summary}</span>
          <span className="mt-2 flex flex-wrap gap-x-3 text-xs text-soft">
            <span>
              since <Time at={since} />
            </span>
            <span>{procedures} procedures</span>
            {children.length > 0 && <span>{children.length} children</span>}
            {restarts > 0 && <Badge tone="warn">{restarts} restarts</Badge>}
          </span>
        </Link>
      </li>
    ))}
  </ul>
);

const Notices = ({ notices }: { readonly notices: readonly LiveEvent[] }) =>
  notices.length === 0 ? (
    <Empty title="Nothing has happened yet">
      Changes of services, runs and connections appear here as they happen.
    </Empty>
  ) : (
    <ol className="divide-y divide-line">
      {notices
        .slice(-12)
        .toReversed()
        .map((event) => (
          <li key={`${event.at} ${event.seq}`} className="flex items-baseline justify-between gap-3 px-4 py-2">
            <span className="min-w-0 break-words">
              <Mono>{event.service}</Mono> {noticeText(event)}
            </span>
            <span className="shrink-0 text-xs text-soft">
              <Time at={event.at} />
            </span>
          </li>
        ))}
    </ol>
  );

export const OverviewPage = () => {
  const { data } = useServices();
  const { notices, perSecond } = useLive();
  const now = useNow();
  const services = data?.services ?? [];
  const well = services.filter(({ state, degraded }) => state === "Ready" && degraded === null).length;
  return (
    <>
      <PageHeader title="Overview">
        {data === undefined
          ? "Asking the kernel…"
          : well === services.length
            ? `All ${well} services are ready`
            : `${well} of ${services.length} services are well`}
      </PageHeader>
      <div className="flex flex-col gap-5">
        <Figures />
        <Problems services={services} />
        <Tiles services={services} />
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <Card
            title="Calls in the last minute"
            actions={
              <Link to="/calls" className="text-sm text-accent hover:underline">
                All calls
              </Link>
            }
          >
            <div className="p-4">
              <Sparkline counts={perSecond} now={now} />
            </div>
          </Card>
          <Card title="What just happened">
            <Notices notices={notices} />
          </Card>
        </div>
      </div>
    </>
  );
};
