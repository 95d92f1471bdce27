/** What `fairlead dev` says while it runs: a line for people on stderr, or with --json an event as one JSON object a line on stdout. */
import { type Diagnostic, diagnosticLine } from "@fairlead/codegen";
import type { ReloadedService } from "@fairlead/kernel";
import { type Context, schemaVersion } from "../command/context.ts";

type DevEvent =
  | { readonly event: "generated"; readonly files: readonly string[]; readonly milliseconds: number }
  | { readonly event: "contracts_refused"; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly event: "reloaded";
      readonly generation: number;
      readonly services: readonly ReloadedService[];
      readonly milliseconds: number;
    }
  | { readonly event: "types"; readonly ok: boolean; readonly output: string }
  | { readonly event: "configuration_refused"; readonly message: string }
  | { readonly event: "replacing_process"; readonly because: string }
  | { readonly event: "stopping" };

export type Report = (event: DevEvent) => void;

export const makeReport =
  (context: Context): Report =>
  (event) => {
    if (context.json) context.io.out(JSON.stringify({ schemaVersion, ...event }));
    else for (const line of linesFor(event, context)) context.io.err(`${context.paintErr("magenta", "dev")} ${line}`);
  };

/** Type errors that are shown, and lines of each. */
const mostErrors = 5;
const mostLines = 3;

/** The first errors of the compiler's output, each with the first of its lines, and how many more there are. Pure. */
export const firstErrors = (output: string): readonly string[] => {
  const errors = output.split(/\n(?=\S)/);
  const shown = errors.slice(0, mostErrors).flatMap((error) => error.split("\n").slice(0, mostLines));
  const more = errors.length - mostErrors;
  return more > 0 ? [...shown, `and ${more} more errors: \`npx tsc --noEmit\` shows them all`] : shown;
};

const linesFor = (event: DevEvent, { paintErr }: Context): readonly string[] => {
  switch (event.event) {
    case "generated":
      return [`generated ${event.files.join(", ")} in ${event.milliseconds} ms`];
    case "contracts_refused":
      return [
        ...event.diagnostics.map(diagnosticLine),
        paintErr("red", "nothing was generated; what ran before runs on"),
      ];
    case "reloaded":
      return event.services.flatMap(({ service, error }) =>
        error === undefined
          ? [`${paintErr("green", service)} runs its new code, after ${event.milliseconds} ms`]
          : [
              `${paintErr("red", service)} keeps its last good version: ${error.message}`,
              ...(error.issues ?? []).map(({ path, expected, fix }) => `  ${path}: expected ${expected}; ${fix}`),
              ...(error.hint === undefined ? [] : [`${paintErr("cyan", "hint:")} ${error.hint}`]),
            ],
      );
    case "types":
      return event.ok ? ["types are right"] : [...firstErrors(event.output), paintErr("red", "the types are wrong")];
    case "configuration_refused":
      return [paintErr("red", `the configuration is not used: ${event.message}`)];
    case "replacing_process":
      return [`${event.because}: the process is replaced; MCP sessions and streams over HTTP start again`];
    case "stopping":
      return ["stopping"];
  }
};
