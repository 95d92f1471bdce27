/** Who calls this kernel, and how another client is set up to: the command for MCP clients, and the same call from a shell and from programs. */
import { Link } from "@tanstack/react-router";
import { useId, useMemo, useState } from "react";
import { useServices, useWhoami } from "../api/kernel.ts";
import { useLive } from "../api/live.ts";
import { countCallers } from "../mcp-clients/callers.ts";
import { addCommand, mcpClients } from "../mcp-clients/clients.ts";
import { snippets } from "../schema/snippets.ts";
import { Card, CodeBlock, CopyCommand, Empty, Mono, PageHeader, Time } from "../ui/parts.tsx";

export const ClientsPage = () => (
  <>
    <PageHeader title="Clients" actions={<CopyCommand command="fairlead mcp ls" />}>
      Who calls this kernel, and how another program is given its tools.
    </PageHeader>
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <AddToClient />
      <Callers />
      <Programs />
    </div>
  </>
);

const selectClass = "h-8 w-full rounded-md border border-line bg-card px-2";

const AddToClient = () => {
  const [id, setId] = useState(mcpClients[0]?.id ?? "");
  const [way, setWay] = useState<"program" | "address">("program");
  const [isReadOnly, setReadOnly] = useState(false);
  const [service, setService] = useState("");
  const services = useServices().data?.services ?? [];
  const ids = useId();
  const client = mcpClients.find((each) => each.id === id);
  if (client === undefined) return null;
  const url = way === "address" ? location.origin : undefined;
  const command = addCommand({ client, url, isReadOnly, service });
  return (
    <Card title="Give an MCP client these tools">
      <div className="flex flex-col gap-4 p-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <label htmlFor={`${ids}-client`} className="text-sm text-soft">
            Client
            <select
              id={`${ids}-client`}
              value={id}
              onChange={({ target }) => setId(target.value)}
              className={`${selectClass} text-text`}
            >
              {mcpClients.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.title}
                </option>
              ))}
            </select>
          </label>
          <label htmlFor={`${ids}-service`} className="text-sm text-soft">
            Tools of
            <select
              id={`${ids}-service`}
              value={service}
              onChange={({ target }) => setService(target.value)}
              className={`${selectClass} text-text`}
            >
              <option value="">all services</option>
              {services
                .filter((each) => each.id !== "kernel")
                .map((each) => (
                  <option key={each.id}>{each.id}</option>
                ))}
            </select>
          </label>
          <label htmlFor={`${ids}-way`} className="text-sm text-soft">
            It reaches them by
            <select
              id={`${ids}-way`}
              value={client.startsProgram === true ? "program" : way}
              disabled={client.startsProgram === true}
              onChange={({ target }) => setWay(target.value === "address" ? "address" : "program")}
              className={`${selectClass} text-text disabled:opacity-60`}
            >
              <option value="program">a program in the project</option>
              <option value="address">this kernel's address</option>
            </select>
          </label>
          <label className="flex items-end gap-2 pb-1 text-sm">
            <input type="checkbox" checked={isReadOnly} onChange={({ target }) => setReadOnly(target.checked)} />
            Only tools that change nothing
          </label>
        </div>
        <CodeBlock text={command} label="Command that adds the entry" />
        <p className="text-sm text-soft">
          Run it in the project's folder. It shows what it would write and asks first, then proves the entry by a
          handshake; <Mono>--dry-run</Mono> writes nothing.
          {url === undefined || client.startsProgram === true
            ? " The program attaches to a kernel that runs, or starts one."
            : " A kernel with tokens needs one: FAIRLEAD_TOKEN in the client's environment."}
          {client.startsProgram === true && ` ${client.title} takes programs only, and no address.`}
        </p>
      </div>
    </Card>
  );
};

const Callers = () => {
  const { calls } = useLive();
  const callers = useMemo(() => countCallers(calls), [calls]);
  return (
    <Card
      title="Who calls"
      actions={
        <Link to="/calls" className="text-sm text-accent hover:underline">
          All calls
        </Link>
      }
    >
      {callers.length === 0 ? (
        <Empty title="Nothing has called yet">
          Callers appear here with their first call; those of before this page are among the last 1,000 events.
        </Empty>
      ) : (
        // Scrolls, so it can be focused and read by keyboard.
        <section className="max-h-96 overflow-auto" tabIndex={0} aria-label="Callers">
          <table className="w-full text-left">
            <thead className="border-b border-line text-xs text-soft">
              <tr>
                {["Caller", "Via", "Calls", "Failed", "Latest"].map((title, index) => (
                  <th key={title} scope="col" className={`px-4 py-2 font-medium ${index > 1 ? "text-right" : ""}`}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {callers.slice(0, 1_000).map(({ key, principal, transport, calls: count, failures, latest }) => (
                <tr key={key}>
                  <td className="max-w-48 truncate px-4 py-1.5">
                    <CallerName principal={principal} />
                  </td>
                  <td className="px-4 py-1.5 text-soft">{transport}</td>
                  <td className="tabular px-4 py-1.5 text-right">{count}</td>
                  <td className={`tabular px-4 py-1.5 text-right ${failures > 0 ? "text-bad" : ""}`}>{failures}</td>
                  <td className="px-4 py-1.5 text-right text-xs text-soft">
                    <Time at={latest} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  );
};

/** A link to the calls of a caller; a transport in the kernel's own process names none. */
const CallerName = ({ principal }: { readonly principal: string }) => {
  const [word = ""] = principal.split(/\s/);
  if (word === "") return <span className="text-soft">without a name</span>;
  return (
    <Link to="/calls" search={{ filter: `by:${word}` }} className="hover:underline">
      {principal}
    </Link>
  );
};

const example = { procedure: "kernel.services", kind: "query", input: {} } as const;

const Programs = () => {
  const { data } = useWhoami();
  const [title, setTitle] = useState(Object.keys(snippets)[0] ?? "");
  const write = snippets[title];
  return (
    <Card title="From a shell or a program" className="lg:col-span-2">
      <div className="flex flex-col gap-3 p-4">
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">Language</legend>
          {Object.keys(snippets).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === title}
              onClick={() => setTitle(each)}
              className={`h-8 rounded-md px-3 text-sm ${each === title ? "bg-accent-soft font-medium text-accent" : "text-soft hover:bg-sunk"}`}
            >
              {each}
            </button>
          ))}
        </fieldset>
        {write !== undefined && (
          <CodeBlock text={write({ ...example, url: location.origin })} label={`Call in ${title}`} />
        )}
        <p className="text-sm text-soft">
          {data !== undefined && data.principal !== "local" && (
            <>
              This kernel asks for a token: send <Mono>authorization: Bearer …</Mono> with each request.{" "}
            </>
          )}
          The OpenAPI document is at <Mono>{location.origin}/openapi.json</Mono>, MCP at{" "}
          <Mono>{location.origin}/mcp</Mono>. Each procedure has its own text in{" "}
          <Link to="/contracts" className="text-accent underline">
            Contracts
          </Link>
          .
        </p>
      </div>
    </Card>
  );
};
