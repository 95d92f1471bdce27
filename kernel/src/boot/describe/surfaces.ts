/** How procedures look to those who do not call them by contract: the tool that a model sees, and the view that a verb gives its result. Loaded when somebody asks. */
import type { Verb } from "@fairlead/contracts";
import type { HostedProcedure } from "../../dispatch/hosted-procedure.ts";
import type { ToolEntry } from "../../host/manifest.ts";

interface SurfaceSources {
  /** Of all services, as MCP lists them. */
  readonly tools: readonly ToolEntry[];
  /** Of the service's contract, by name. */
  readonly verbs: Readonly<Record<string, Verb>>;
}

interface NamedProcedure {
  readonly name: string;
  /** With its full name. */
  readonly entry: Pick<HostedProcedure["entry"], "name">;
}

export const readSurfaces = (offered: readonly NamedProcedure[], { tools, verbs }: SurfaceSources) => {
  const known = new Map(tools.map((entry) => [entry.procedure, entry.tool]));
  const procedures = offered.flatMap(({ name, entry: { name: procedure } }) => {
    const [tool, view] = [known.get(procedure), viewIn(verbs, name)];
    if (tool === undefined && view === undefined) return [];
    return [{ procedure, tool: tool === undefined ? null : seenTool(tool), view: view ?? null }];
  });
  return { procedures };
};

/** Bytes that are about a token, in JSON Schema and English; `fairlead gen` counts by the same figure. */
const tokenBytes = 4;

/** What a model reads of a tool: not its title, its output schema and its annotations. */
const seenTool = (tool: ToolEntry["tool"]) => {
  const { name, description, inputSchema } = tool;
  const seen = { name, description: typeof description === "string" ? description : "", inputSchema };
  const text = JSON.stringify(seen);
  return { ...JSON.parse(text), tokens: Math.ceil(Buffer.byteLength(text) / tokenBytes) };
};

/** The view of a verb that shows the procedure's result as it is: its one step calls it, its document is that result, and no value of the command line is in it. */
const viewIn = (verbs: SurfaceSources["verbs"], procedure: string): Record<string, never> | undefined => {
  const fitting = Object.values(verbs).find(
    ({ steps: [step, ...more], document, show }) =>
      step?.call === procedure && more.length === 0 && document === undefined && !hasVariable(show),
  );
  return fitting === undefined ? undefined : JSON.parse(JSON.stringify({ show: fitting.show }));
};

/** A path like `$name`, alone or in the braces of a text. */
const hasVariable = (view: Verb["show"]): boolean => /["{]\$/.test(JSON.stringify(view));
