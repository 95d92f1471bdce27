/** All services as the supervision tree: each with its state, its children below it, and what can be done about it. */
import { Link } from "@tanstack/react-router";
import { type ServiceStatus, useIsAdmin, useRestart, useServices } from "../api/kernel.ts";
import { Button, Card, CopyCommand, Empty, Mono, PageHeader, StateBadge, Time } from "../ui/parts.tsx";

export const ServicesPage = () => {
  const { data } = useServices();
  return (
    <>
      <PageHeader title="Services" actions={<CopyCommand command="fairlead services ls" />}>
        What the kernel supervises. A service that fails is started again by itself, a few times.
      </PageHeader>
      <Card>
        {data?.services.length === 0 ? (
          <Empty title="No service is loaded">
            Write one with <Mono>fairlead new &lt;id&gt;</Mono>, or name a manifest in <Mono>fairlead.config.ts</Mono>.
          </Empty>
        ) : (
          <div className="overflow-x-auto">
            <table className="w-full text-left">
              <thead className="border-b border-line text-xs text-soft">
                <tr>
                  <th scope="col" className="px-4 py-2 font-medium">
                    Service
                  </th>
                  <th scope="col" className="px-4 py-2 font-medium">
                    State
                  </th>
                  <th scope="col" className="hidden px-4 py-2 font-medium sm:table-cell">
                    Since
                  </th>
                  <th scope="col" className="hidden px-4 py-2 text-right font-medium sm:table-cell">
                    Restarts
                  </th>
                  <th scope="col" className="hidden px-4 py-2 text-right font-medium sm:table-cell">
                    Process
                  </th>
                  <th scope="col" className="px-4 py-2">
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data?.services.map((service) => (
                  <Rows key={service.id} service={service} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
    </>
  );
};

const Rows = ({
  service: { id, version, state, since, degraded, restarts, children, waitsFor, nextStartAt },
}: {
  readonly service: ServiceStatus;
}) => {
  const isAdmin = useIsAdmin();
  const restart = useRestart();
  return (
    <>
      <tr className="border-t border-line first:border-t-0">
        <td className="px-4 py-2.5">
          <Link to="/services/$service" params={{ service: id }} className="font-medium hover:underline">
            {id}
          </Link>{" "}
          <span className="tabular text-xs text-soft">{version}</span>
          {degraded !== null && <p className="text-sm text-warn">{degraded.why}</p>}
          {waitsFor !== null && <p className="text-sm text-soft">waits for {waitsFor}</p>}
        </td>
        <td className="px-4 py-2.5">
          <StateBadge state={state} degraded={degraded !== null} />
          {nextStartAt !== null && (
            <p className="text-xs text-soft">
              next start <Time at={nextStartAt} />
            </p>
          )}
        </td>
        <td className="hidden px-4 py-2.5 text-soft sm:table-cell">
          <Time at={since} />
        </td>
        <td className="tabular hidden px-4 py-2.5 text-right sm:table-cell">{restarts}</td>
        <td className="hidden px-4 py-2.5 text-right text-soft sm:table-cell">kernel</td>
        <td className="px-4 py-2 text-right">
          <Button
            disabled={!isAdmin || restart.isPending || id === "kernel"}
            title={isAdmin ? undefined : "Your token may read and not restart"}
            onClick={() => restart.mutate({ service: id })}
          >
            Restart<span className="sr-only"> {id}</span>
          </Button>
        </td>
      </tr>
      {children.map((child, index) => (
        <tr key={child.id} className="text-sm">
          <td className="px-4 py-1.5">
            <span aria-hidden="true" className="mr-2 ml-2 font-mono text-soft">
              {index === children.length - 1 ? "└" : "├"}
            </span>
            <span className="sr-only">child of {id}: </span>
            <Mono>{child.id}</Mono>
          </td>
          <td className="px-4 py-1.5">
            <StateBadge state={child.state} />
          </td>
          <td className="hidden px-4 py-1.5 text-soft sm:table-cell">
            <Time at={child.since} />
          </td>
          <td className="tabular hidden px-4 py-1.5 text-right sm:table-cell">{child.restarts}</td>
          <td className="tabular hidden px-4 py-1.5 text-right text-soft sm:table-cell">
            {child.pid === null ? "" : `pid ${child.pid}`}
          </td>
          <td />
        </tr>
      ))}
    </>
  );
};
