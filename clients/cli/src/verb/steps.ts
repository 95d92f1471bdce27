/** Runs a verb's steps, one call after the other, and puts their results together as its document. */
import { type CallOptions, createClient } from "@fairlead/client";
import type { NamedVerb, VerbPages, VerbStep } from "@fairlead/contracts";
import { allHold, fillInput, type Scope, valueAt } from "@fairlead/contracts/view";
import type { Context } from "../command/context.ts";
import type { KernelConnection } from "../kernel/connection.ts";
import { isRecord } from "../text/record.ts";
import { openBrowserPage } from "./browser-page.ts";
import { type ListCall, refusal, toVerbError, verbNotFound } from "./failure.ts";

interface AnyService {
  readonly run: { readonly input: unknown; readonly output: unknown; readonly errors: Record<never, never> };
}

/** What a verb runs with. */
export interface VerbRun {
  readonly context: Context;
  readonly kernel: KernelConnection;
  readonly verb: NamedVerb;
}

type InputFields = Readonly<Record<string, unknown>>;

/** The document, with the variables that were bound. The steps' own results stay beside it for `imports`. */
export interface VerbResult {
  readonly document: Scope;
  readonly results: Scope;
}

export const runSteps = async (run: VerbRun, variables: InputFields): Promise<VerbResult> => {
  let results: Scope = { variables, value: {} };
  for (const step of run.verb.steps) {
    if (step.when === undefined || allHold(results, step.when)) results = await runStep(run, step, results);
  }
  const { document } = run.verb;
  if (document === undefined) return { document: results, results };
  const value = Object.fromEntries(Object.entries(document).map(([name, path]) => [name, valueAt(results, path)]));
  return { document: { ...results, value }, results };
};

const runStep = async (run: VerbRun, step: VerbStep, before: Scope): Promise<Scope> => {
  const list: ListCall = (call) => callOnce(run, call, {});
  const page = step.browser === undefined ? undefined : await openBrowserPage(run.context.io.signal);
  try {
    const filled = stepInput(step, before);
    const input =
      step.browser === undefined ? filled : { ...(isRecord(filled) ? filled : {}), [step.browser.redirect]: page?.url };
    const result = await callStep(run, step, input).catch(async (error: unknown) => {
      throw await toVerbError(error, step, { scope: before, list });
    });
    const after = { ...before, value: withResult(before.value, step, result) };
    if (step.absent !== undefined && (result === null || result === false)) {
      throw await verbNotFound(after, step.absent, list);
    }
    const refused = await refusal(step, after);
    if (refused !== undefined) throw refused;
    if (step.browser === undefined || page === undefined) return after;
    run.context.say(`open this page to log in:\n${String(valueAt(after, step.browser.open))}`);
    return { ...after, variables: { ...after.variables, query: await page.query } };
  } finally {
    page?.close();
  }
};

/** What a step is called with. */
export const stepInput = ({ input = "$input" }: VerbStep, scope: Scope): unknown => {
  if (!isCases(input)) return fillInput(scope, input);
  const found = input.find(({ when }) => allHold(scope, when));
  return found === undefined ? {} : fillInput(scope, found.input);
};

type StepInput = NonNullable<VerbStep["input"]>;
type Cases = Extract<StepInput, readonly unknown[]>;
const isCases = (input: StepInput): input is Cases => Array.isArray(input);

const withResult = (before: unknown, { as: name }: VerbStep, result: unknown): unknown => {
  const fields = isRecord(before) ? before : {};
  if (name !== undefined) return { ...fields, [name]: result };
  return isRecord(result) ? { ...fields, ...result } : result;
};

const callStep = (run: VerbRun, { call, pages }: VerbStep, input: unknown): Promise<unknown> =>
  pages === undefined || (isRecord(input) && input[pages.limit] !== undefined)
    ? callOnce(run, call, input)
    : callPages(run, { call, pages }, isRecord(input) ? input : {});

/** The first page with the items of all. */
const callPages = async (
  run: VerbRun,
  { call, pages }: { readonly call: string; readonly pages: VerbPages },
  input: InputFields,
): Promise<unknown> => {
  const { items, next, after } = pages;
  const first = await callOnce(run, call, input);
  const all: unknown[] = [];
  for (let page = first; isRecord(page); ) {
    const found = page[items];
    if (Array.isArray(found)) all.push(...found);
    const position = page[next];
    if (position === null || position === undefined) break;
    page = await callOnce(run, call, { ...input, [after]: position });
  }
  return isRecord(first) ? { ...first, [items]: all, [next]: null } : first;
};

const callOnce = async ({ context, kernel, verb }: VerbRun, call: string, input: unknown): Promise<unknown> => {
  const descriptor = await kernel.procedure(`${verb.service}.${call}`);
  const kind = descriptor.kind === "query" ? "query" : "mutation";
  const service = { id: verb.service, procedures: { run: { ...descriptor, kind } } } as const;
  const options: CallOptions = {
    signal: context.io.signal,
    ...(context.timeoutMs !== undefined && { timeoutMs: context.timeoutMs }),
  };
  return createClient<AnyService>(service, kernel.transport).run(input, options);
};
