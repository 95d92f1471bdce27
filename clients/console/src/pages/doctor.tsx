/** What does not work, why, and what fixes it: the state of each service and the checks that it makes of itself. */
import { Link } from "@tanstack/react-router";
import { readCallError } from "../api/client.ts";
import { useAllDetails, useServices } from "../api/kernel.ts";
import { type CheckRow, doctorRows } from "../doctor/rows.ts";
import { Badge, Card, CopyCommand, Empty, ErrorNote, Mono, PageHeader, type Tone } from "../ui/parts.tsx";

const tones: Readonly<Record<CheckRow["result"], Tone>> = {
  ok: "good",
  warning: "warn",
  failed: "bad",
  unknown: "plain",
};
const signs: Readonly<Record<CheckRow["result"], string>> = { ok: "●", warning: "▲", failed: "✕", unknown: "○" };

export const DoctorPage = () => {
  const { data, error } = useServices();
  const services = data?.services ?? [];
  const answers = useAllDetails(services.map(({ id }) => id));
  const details = services.map(({ id }, index) => {
    const answer = answers[index];
    const problem = answer?.error == null ? undefined : readCallError(answer.error).message;
    return { service: id, details: answer?.data?.details, problem };
  });
  const rows = doctorRows(services, details);
  const open = rows.filter(({ result }) => result === "failed" || result === "warning");
  return (
    <>
      <PageHeader title="Doctor" actions={<CopyCommand command="fairlead doctor" />}>
        {data === undefined
          ? "Asking the kernel…"
          : open.length === 0
            ? `All ${rows.length} checks of the services are well`
            : `${open.length} of ${rows.length} checks need a look`}
      </PageHeader>
      <div className="flex flex-col gap-5">
        {error !== null && <ErrorNote {...readCallError(error)} />}
        <Card title="Checks of the services">
          {data !== undefined && rows.length === 0 ? (
            <Empty title="No service is loaded">
              Write one with <Mono>fairlead new &lt;id&gt;</Mono>.
            </Empty>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map((row) => (
                <Row key={row.key} row={row} />
              ))}
            </ul>
          )}
        </Card>
        <Card title="The machine and the project">
          <p className="p-4 text-soft">
            Node, the configuration, the port, the state folder, generated code and what subprocesses can be denied are
            checked where the project is: run <Mono>fairlead doctor</Mono> there.
          </p>
        </Card>
      </div>
    </>
  );
};

const Row = ({ row: { service, check, result, detail, fix } }: { readonly row: CheckRow }) => (
  <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5">
    <span className="w-24 shrink-0">
      <Badge tone={tones[result]}>
        <span aria-hidden="true">{signs[result]}</span> {result}
      </Badge>
    </span>
    <span className="w-52 shrink-0 break-words">
      <Link to="/services/$service" params={{ service }} className="font-medium hover:underline">
        {service}
      </Link>{" "}
      <span className="text-sm text-soft">{check}</span>
    </span>
    <span className="min-w-0 flex-1 basis-64 break-words">
      {detail}
      {fix !== "" && <span className="block text-sm text-soft">To fix it: {fix}</span>}
    </span>
  </li>
);
