/** Tools that are kept back since what they say has changed: the difference, as text to read, and the approval. */
import { Button, Card, ErrorNote, Mono, readCallError } from "@fairlead/console/kit";
import { api, type QuarantinedTool } from "./api.ts";

export const Quarantine = ({ name, mayAct }: { readonly name: string; readonly mayAct: boolean }) => {
  const { data } = api.useQuery("quarantine", { name }, { every: 5_000 });
  const approve = api.useMutation("approve");
  const refresh = api.useRefresh();
  const tools = data?.tools ?? [];
  if (tools.length === 0) return null;
  const send = (chosen: readonly string[]): void =>
    approve.mutate({ name, tools: [...chosen] }, { onSettled: () => ["quarantine", "list"].forEach(refreshOne) });
  const refreshOne = (procedure: string): void => refresh(procedure as "list");
  return (
    <Card
      title={`Kept back: ${tools.length}`}
      actions={
        <Button disabled={!mayAct || approve.isPending} onClick={() => send(tools.map(({ tool }) => tool))}>
          Approve all
        </Button>
      }
    >
      <p className="px-4 pt-3 text-sm text-soft">
        What these tools say has changed since they were approved, so they cannot be called. Read what is new: a model
        would take it as instructions.
      </p>
      {approve.error !== null && (
        <div className="p-4">
          <ErrorNote {...readCallError(approve.error)} />
        </div>
      )}
      <ul className="divide-y divide-line">
        {tools.map((tool) => (
          <li key={tool.tool} className="flex flex-col gap-2 px-4 py-3">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <Mono>{tool.tool}</Mono>
              <Button disabled={!mayAct || approve.isPending} onClick={() => send([tool.tool])}>
                Approve {tool.tool}
              </Button>
            </div>
            <Changes tool={tool} />
          </li>
        ))}
      </ul>
    </Card>
  );
};

const Changes = ({ tool: { changes, description } }: { readonly tool: QuarantinedTool }) =>
  changes.length === 0 ? (
    <p className="text-sm break-words whitespace-pre-wrap">It says now: {description}</p>
  ) : (
    <dl className="flex flex-col gap-3">
      {changes.map(({ path, was, now }) => (
        <div key={path} className="min-w-0">
          <dt className="text-xs text-soft">
            <Mono>{path}</Mono>
          </dt>
          <dd className="mt-1 grid gap-1">
            <Line sign="−" tone="bg-bad-soft text-bad" text={was} label="It was" />
            <Line sign="+" tone="bg-good-soft text-good" text={now} label="It is now" />
          </dd>
        </div>
      ))}
    </dl>
  );

interface LineProps {
  readonly sign: string;
  readonly tone: string;
  readonly text: string;
  readonly label: string;
}

const Line = ({ sign, tone, text, label }: LineProps) => (
  <p className={`flex gap-2 rounded-md px-2 py-1 font-mono text-xs ${tone}`}>
    <span aria-hidden="true">{sign}</span>
    <span className="sr-only">{label}:</span>
    <span className="min-w-0 break-words whitespace-pre-wrap">{text === "" ? "nothing" : readable(text)}</span>
  </p>
);

/** A text that was written as JSON reads better without its quotes. */
const readable = (json: string): string => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  } catch {
    return json;
  }
};
