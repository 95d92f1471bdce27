/** Adds connections from the text of a `.mcp.json`, and reads again what the configuration has written down. */
import { Badge, Button, Card, Empty, ErrorNote, Mono, readCallError } from "@fairlead/console/kit";
import { useId, useState } from "react";
import { api, type Plan } from "./api.ts";
import { parsePasted } from "./declared-entries.ts";
import { count } from "./words.ts";

const example = '{ "mcpServers": { "holler": { "url": "http://localhost:8080/mcp" } } }';

export const AddConnections = ({ mayAct, onDone }: { readonly mayAct: boolean; readonly onDone: () => void }) => {
  const [text, setText] = useState("");
  const id = useId();
  const add = api.useMutation("add");
  const refresh = api.useRefresh();
  const pasted = text.trim() === "" ? undefined : parsePasted(text);
  const usable = pasted?.ok === true ? pasted.entries.filter(({ address }) => address !== undefined) : [];
  const send = async (): Promise<void> => {
    try {
      for (const { name, address } of usable) if (address !== undefined) await add.mutateAsync({ name, ...address });
      onDone();
    } catch {
      // The mutation says it.
    } finally {
      refresh("list");
    }
  };
  return (
    <Card title="Add connections" actions={<Button onClick={onDone}>Close</Button>}>
      <div className="flex flex-col gap-3 p-4">
        <label htmlFor={id} className="text-sm text-soft">
          Paste a <Mono>.mcp.json</Mono>. Addresses are connected until the kernel ends; what is to stay, and programs,
          belong into the file itself.
        </label>
        <textarea
          id={id}
          rows={6}
          spellCheck={false}
          placeholder={example}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="w-full rounded-md border border-line bg-card p-3 font-mono text-xs"
        />
        {pasted?.ok === false && (
          <p role="alert" className="text-sm text-bad break-words">
            {pasted.problem}
          </p>
        )}
        {pasted?.ok === true && (
          <ul className="flex flex-col gap-2 text-sm">
            {pasted.entries.map(({ name, address, problem }) => (
              <li key={name} className="flex flex-wrap items-baseline gap-2">
                <Badge tone={problem === undefined ? "good" : "warn"}>
                  {problem === undefined ? "add" : "not here"}
                </Badge>
                <Mono>{name}</Mono>
                <span className="min-w-0 break-words text-soft">{problem ?? address?.url}</span>
              </li>
            ))}
          </ul>
        )}
        {add.error !== null && <ErrorNote {...readCallError(add.error)} />}
        <div className="flex flex-wrap gap-2">
          <Button tone="main" disabled={!mayAct || usable.length === 0 || add.isPending} onClick={() => void send()}>
            Add {count(usable.length, "connection")}
          </Button>
        </div>
        <WrittenDown mayAct={mayAct} />
      </div>
    </Card>
  );
};

/** What the files that declare connections say now, beside what is connected. */
const WrittenDown = ({ mayAct }: { readonly mayAct: boolean }) => {
  const [isAsked, setAsked] = useState(false);
  const plan = api.useQuery("plan", {}, { enabled: isAsked });
  const apply = api.useMutation("applyPlan");
  const refresh = api.useRefresh();
  const changes = plan.data?.changes ?? [];
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-soft">Did the project's own files change?</p>
        <Button
          disabled={!mayAct}
          onClick={() => {
            setAsked(true);
            refresh("plan");
          }}
        >
          Compare with the files
        </Button>
      </div>
      {isAsked && plan.data !== undefined && <PlanView plan={plan.data} />}
      {isAsked && plan.error !== null && <ErrorNote {...readCallError(plan.error)} />}
      {apply.error !== null && <ErrorNote {...readCallError(apply.error)} />}
      {changes.length > 0 && (
        <Button
          tone="main"
          className="self-start"
          disabled={!mayAct || apply.isPending}
          onClick={() =>
            apply.mutate(
              {},
              {
                onSettled: () => {
                  refresh("plan");
                  refresh("list");
                },
              },
            )
          }
        >
          Apply {count(changes.length, "change")}
        </Button>
      )}
    </section>
  );
};

const PlanView = ({ plan: { changes, problems } }: { readonly plan: Plan }) => (
  <>
    {problems.map((problem) => (
      <p key={problem} role="alert" className="text-sm text-bad break-words">
        {problem}
      </p>
    ))}
    {changes.length === 0 ? (
      <Empty title="Nothing differs">What is connected is what the files say.</Empty>
    ) : (
      <ul className="flex flex-col gap-2 text-sm">
        {changes.map(({ name, change, from, to, fields }) => (
          <li key={name} className="flex flex-wrap items-baseline gap-2">
            <Badge tone={change === "removed" ? "bad" : "accent"}>{change}</Badge>
            <Mono>{name}</Mono>
            <span className="min-w-0 break-words text-soft">
              {[from, to].filter((each) => each !== null).join(" → ")}
              {fields.length > 0 && ` (${fields.join(", ")})`}
            </span>
          </li>
        ))}
      </ul>
    )}
  </>
);
