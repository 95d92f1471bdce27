/** The playground: a call filled in by a form or as JSON, run, cancelled and looked at. */
import type { VerbView } from "@fairlead/contracts/view";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { type ProcedureDescription, useDescriptions, useSurface, useWhoami } from "../api/kernel.ts";
import { Comparison } from "../playground/comparison.tsx";
import { PastCalls } from "../playground/past-calls.tsx";
import { Result } from "../playground/result.tsx";
import { useRun } from "../playground/run.ts";
import { saveCall } from "../playground/saved.ts";
import { SchemaInput } from "../playground/schema-form.tsx";
import { firstValue, resolveSchema } from "../schema/schema.ts";
import { cliSnippet } from "../schema/snippets.ts";
import { Button, Card, CopyCommand, Empty, PageHeader } from "../ui/parts.tsx";

export const PlaygroundPage = () => {
  const { procedure, input } = useSearch({ from: "/playground" });
  const navigate = useNavigate({ from: "/playground" });
  const procedures = useDescriptions().flatMap(({ procedures: offered }) => offered);
  const shown = procedures.find(({ name }) => name === procedure);
  const open = (name: string, value?: unknown): void =>
    void navigate({ search: { procedure: name, ...(value !== undefined && { input: value }) } });
  return (
    <>
      <PageHeader
        title="Playground"
        actions={
          <select
            aria-label="Procedure"
            value={procedure ?? ""}
            onChange={({ target }) => open(target.value)}
            className="h-8 max-w-72 rounded-md border border-line bg-card px-2 font-mono text-xs"
          >
            <option value="">choose a procedure…</option>
            {procedures.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        }
      >
        {shown?.summary ?? "Call any procedure, with the rights that you have here."}
      </PageHeader>
      {shown === undefined ? (
        <Card>
          <Empty title="Choose a procedure">Each has a form made of its contract, and its examples.</Empty>
        </Card>
      ) : (
        <Caller key={`${shown.name} ${JSON.stringify(input)}`} procedure={shown} begin={input} />
      )}
      <PastCalls onOpen={open} />
    </>
  );
};

const Caller = ({ procedure, begin }: { readonly procedure: ProcedureDescription; readonly begin: unknown }) => {
  const { name, kind, input: root, examples, retry, access } = procedure;
  const schema = useMemo(() => resolveSchema(root, root), [root]);
  const [value, setValue] = useState<unknown>(() => begin ?? examples[0]?.input ?? firstValue(root, root));
  const [text, setText] = useState(() => JSON.stringify(value, undefined, 2));
  const [textProblem, setTextProblem] = useState("");
  const [deadline, setDeadline] = useState("");
  const [key, setKey] = useState("");
  const { outcome, run, cancel } = useRun();
  const [kept, setKept] = useState<{ readonly answer: unknown }>();
  const view = useSurface(name)?.view?.show as VerbView | undefined;
  const may = useWhoami().data?.access.includes(access) !== false;
  const change = (next: unknown): void => {
    setValue(next);
    setText(JSON.stringify(next, undefined, 2));
    setTextProblem("");
  };
  const changeText = (next: string): void => {
    setText(next);
    try {
      setValue(JSON.parse(next));
      setTextProblem("");
    } catch (error) {
      setTextProblem(error instanceof Error ? error.message : "this is not JSON");
    }
  };
  const start = (): void =>
    run({
      procedure: name,
      kind,
      input: value,
      deadlineMs: /^[1-9]\d{0,8}$/.test(deadline) ? Number(deadline) : undefined,
      idempotencyKey: key === "" ? undefined : key,
    });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter") start();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  const isRunning = outcome.kind === "running";
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Card
        title="Input"
        actions={
          examples.length > 0 && (
            <select
              aria-label="Examples"
              value=""
              onChange={({ target }) => change(examples[Number(target.value)]?.input)}
              className="h-8 max-w-56 rounded-md border border-line bg-card px-2 text-sm"
            >
              <option value="">take an example…</option>
              {examples.map(({ summary }, index) => (
                <option key={summary} value={index}>
                  {summary}
                </option>
              ))}
            </select>
          )
        }
      >
        <div className="flex flex-col gap-4 p-4">
          <SchemaInput root={root} schema={schema} value={value} onChange={change} label="input" />
          <details open={false}>
            <summary className="cursor-pointer text-sm text-accent">As JSON</summary>
            <textarea
              aria-label="Input as JSON"
              spellCheck={false}
              rows={8}
              value={text}
              onChange={({ target }) => changeText(target.value)}
              className="mt-2 w-full rounded-md border border-line bg-sunk p-2 font-mono text-xs"
            />
            {textProblem !== "" && <p className="text-sm text-bad">{textProblem}</p>}
          </details>
          {kind !== "subscription" && (
            <div className="flex flex-wrap gap-3 text-sm text-soft">
              <label className="flex items-center gap-2">
                Deadline
                <input
                  inputMode="numeric"
                  placeholder="contract's"
                  value={deadline}
                  onChange={({ target }) => setDeadline(target.value)}
                  className="tabular h-8 w-24 rounded-md border border-line bg-card px-2 text-text"
                />
                ms
              </label>
              {retry === "keyed" && (
                <label className="flex items-center gap-2">
                  Idempotency key
                  <input
                    placeholder="a new one"
                    value={key}
                    onChange={({ target }) => setKey(target.value)}
                    className="h-8 w-40 rounded-md border border-line bg-card px-2 text-text"
                  />
                </label>
              )}
            </div>
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              tone="main"
              onClick={start}
              disabled={!may || textProblem !== ""}
              title={may ? "Ctrl Enter" : `Your token may not ${access}`}
            >
              {kind === "subscription" ? "Subscribe" : "Run"}
            </Button>
            <Button onClick={cancel} disabled={!isRunning}>
              {kind === "subscription" ? "Stop" : "Cancel"}
            </Button>
            <SaveButton procedure={name} input={value} />
            <CopyCommand command={cliSnippet({ procedure: name, kind, input: value, url: location.origin })} />
          </div>
          {!may && (
            <p className="text-sm text-warn">Your token may not {access}: you see this procedure and cannot call it.</p>
          )}
        </div>
      </Card>
      <Card
        title="Result"
        className="lg:sticky lg:top-18 lg:max-h-[calc(100dvh-6rem)] lg:overflow-auto"
        actions={
          outcome.kind === "done" && (
            <Button onClick={() => setKept({ answer: outcome.value })} title="The next answer is shown beside it">
              Keep to compare
            </Button>
          )
        }
      >
        <Result outcome={outcome} view={view} />
      </Card>
      {kept !== undefined && outcome.kind === "done" && outcome.value !== kept.answer && (
        <Comparison kept={kept.answer} answer={outcome.value} onForget={() => setKept(undefined)} />
      )}
    </div>
  );
};

const focus = (field: HTMLInputElement | null): void => field?.focus();

/** Keeps the call under a name, which is asked for in its place. */
const SaveButton = ({ procedure, input }: { readonly procedure: string; readonly input: unknown }) => {
  const [name, setName] = useState<string>();
  const [problem, setProblem] = useState("");
  if (name === undefined) return <Button onClick={() => setName("")}>Save</Button>;
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const isSaved = saveCall({ name: name.trim(), procedure, input });
        if (isSaved) setName(undefined);
        setProblem(isSaved ? "" : "this browser has no room for it: remove saved calls");
      }}
    >
      <input
        aria-label="Name of the saved call"
        placeholder="a name"
        maxLength={80}
        ref={focus}
        value={name}
        onChange={({ target }) => setName(target.value)}
        className="h-8 w-40 rounded-md border border-line bg-card px-2"
      />
      <Button type="submit" disabled={name.trim() === ""}>
        Save call
      </Button>
      {problem !== "" && <p className="text-sm text-bad">{problem}</p>}
    </form>
  );
};
