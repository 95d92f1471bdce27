/** The contracts as documents: what each procedure is for, takes, gives and fails with, the tool that a model sees, and the call as other clients write it. */
import { Tabs } from "@base-ui/react/tabs";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type ProcedureDescription, useDescriptions, useSurface } from "../api/kernel.ts";
import { firstValue } from "../schema/schema.ts";
import { SchemaDocument } from "../schema/schema-document.tsx";
import { cliSnippet, mcpSnippet, type SnippetCall, snippets } from "../schema/snippets.ts";
import { duration } from "../text/relative-time.ts";
import { Badge, Button, Card, CodeBlock, CopyCommand, Empty, Mono, PageHeader } from "../ui/parts.tsx";

export const ContractsPage = () => {
  const { procedure } = useParams({ strict: false });
  const [words, setWords] = useState("");
  const groups = useDescriptions();
  const all = groups.flatMap(({ procedures }) => procedures);
  const shown = all.find(({ name }) => name === procedure);
  return (
    <>
      <PageHeader title="Contracts">
        What can be called, and how. The same contract makes the tRPC router, the HTTP API, the MCP tools and the
        clients.
      </PageHeader>
      <div className="grid items-start gap-5 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <Card className="lg:sticky lg:top-18 lg:flex lg:max-h-[calc(100dvh-6rem)] lg:flex-col">
          <div className="border-b border-line p-2">
            <input
              aria-label="Search procedures"
              placeholder="Search procedures"
              value={words}
              onChange={({ target }) => setWords(target.value)}
              className="h-8 w-full rounded-md border border-line bg-card px-3"
            />
          </div>
          <nav aria-label="Procedures" tabIndex={0} className="max-h-80 overflow-auto p-2 lg:max-h-none">
            {groups.map(({ service, procedures }) => {
              const found = procedures.filter(({ name, summary }) =>
                `${name} ${summary}`.toLowerCase().includes(words.toLowerCase()),
              );
              return found.length === 0 ? null : (
                <div key={service} className="mb-2">
                  <p className="px-2 py-1 text-xs font-semibold text-soft">{service}</p>
                  {found.map(({ name, kind }) => (
                    <Link
                      key={name}
                      to="/contracts/$procedure"
                      params={{ procedure: name }}
                      className="flex items-center justify-between gap-2 rounded-md px-2 py-1 font-mono text-xs hover:bg-sunk"
                      activeProps={{ className: "bg-accent-soft !text-accent", "aria-current": "page" }}
                    >
                      <span className="truncate">{name.slice(service.length + 1)}</span>
                      <span className="font-sans text-soft" title={kind}>
                        {kind === "query" ? "" : kind === "mutation" ? "changes" : "streams"}
                      </span>
                    </Link>
                  ))}
                </div>
              );
            })}
          </nav>
        </Card>
        {shown === undefined ? (
          <Card>
            <Empty
              title={procedure === undefined || all.length === 0 ? "Choose a procedure" : `There is no ${procedure}`}
            >
              {all.length} procedures of {groups.length} services. Ctrl K finds one by a few letters.
            </Empty>
          </Card>
        ) : (
          <Procedure key={shown.name} procedure={shown} />
        )}
      </div>
    </>
  );
};

const retries: Readonly<Record<string, string>> = {
  safe: "A repeat changes nothing.",
  idempotent: "A repeat has the same effect as one call.",
  keyed: "A repeat with the same idempotency key gets the first answer.",
  unsafe: "A repeat acts again.",
};

const Procedure = ({ procedure }: { readonly procedure: ProcedureDescription }) => {
  const { name, kind, summary, retry, access, deprecated, deadlineMs, streams, errors, examples, input, output } =
    procedure;
  const sample = examples[0]?.input ?? firstValue(input, input);
  const call = { procedure: name, kind, input: sample, url: location.origin };
  return (
    <article className="flex min-w-0 flex-col gap-5">
      <Card
        title={<Mono>{name}</Mono>}
        actions={
          <span className="flex flex-wrap gap-2">
            <CopyCommand command={cliSnippet(call)} />
            <Link to="/playground" search={{ procedure: name }}>
              <Button tone="main" tabIndex={-1}>
                Try it
              </Button>
            </Link>
          </span>
        }
      >
        <div className="p-4">
          <p className="text-base">{summary}</p>
          {deprecated !== null && (
            <p className="mt-2 rounded-md bg-warn-soft p-2 text-warn">Deprecated: {deprecated}</p>
          )}
          <dl className="mt-4 grid grid-cols-[8rem_1fr] gap-y-1.5 text-sm">
            <dt className="text-soft">Kind</dt>
            <dd>
              <Badge tone={kind === "query" ? "good" : kind === "mutation" ? "warn" : "accent"}>{kind}</Badge>
            </dd>
            <dt className="text-soft">Access</dt>
            <dd>a token that may {access}</dd>
            <dt className="text-soft">Repeats</dt>
            <dd>
              {retries[retry]} (<Mono>{retry}</Mono>)
            </dd>
            <dt className="text-soft">Deadline</dt>
            <dd>
              {deadlineMs === null
                ? `none; at most ${streams ?? "any number of"} streams at once`
                : duration(deadlineMs)}
            </dd>
          </dl>
        </div>
      </Card>
      <Card title="Input">
        <SchemaDocument root={input} empty="It takes no input." />
      </Card>
      <Card title="Output">
        <SchemaDocument root={output} empty="It gives an empty object." />
      </Card>
      <Card title="Errors">
        {errors.length === 0 ? (
          <p className="p-4 text-soft">
            It declares none; every procedure may fail with an infrastructure code, like unavailable.
          </p>
        ) : (
          <ul className="divide-y divide-line">
            {errors.map(({ reason, code, when }) => (
              <li key={reason} className="px-4 py-2">
                <Mono>{reason}</Mono> <Badge>{code}</Badge>
                <p className="text-sm text-soft">When {when}.</p>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <ToolCard procedure={name} />
      <CallCard call={call} />
    </article>
  );
};

/** The call as other clients write it; as a tool where it is one. */
const CallCard = ({ call }: { readonly call: SnippetCall }) => {
  const tool = useSurface(call.procedure)?.tool;
  const texts = Object.entries(snippets).map(([title, write]) => [title, write(call)] as const);
  const shown =
    tool === undefined || tool === null ? texts : [...texts, ["MCP", mcpSnippet(tool.name, call.input)] as const];
  return (
    <Card title="Call it from">
      <Tabs.Root defaultValue="Command" className="p-4">
        <Tabs.List className="mb-3 flex flex-wrap gap-1">
          {shown.map(([title]) => (
            <Tabs.Tab
              key={title}
              value={title}
              className="h-8 rounded-md px-3 text-sm text-soft hover:bg-sunk data-[active]:bg-accent-soft data-[active]:text-accent"
            >
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(([title, text]) => (
          <Tabs.Panel key={title} value={title}>
            <CodeBlock text={text} label={`The call in ${title}`} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Card>
  );
};

/** What a conversation with a model holds of it. */
const ToolCard = ({ procedure }: { readonly procedure: string }) => {
  const tool = useSurface(procedure)?.tool;
  if (tool === undefined || tool === null) return null;
  return (
    <Card title="As a model sees it" actions={<span className="text-sm text-soft">about {tool.tokens} tokens</span>}>
      <div className="flex flex-col gap-2 p-4">
        <p>
          <Mono>{tool.name}</Mono>
        </p>
        <p className="text-sm">{tool.description}</p>
        <CodeBlock text={JSON.stringify(tool.inputSchema, undefined, 2)} label="Arguments of the tool" />
      </div>
    </Card>
  );
};
