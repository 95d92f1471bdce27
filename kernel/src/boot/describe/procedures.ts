/** How the kernel's contract describes procedures and relayed tools. Loaded when somebody asks. */
import { deprecationText, placementText, type RunPolicy } from "@fairlead/contracts";
import type { HostedProcedure } from "../../dispatch/hosted-procedure.ts";
import { type RelayedTool, toolFailed } from "../../dispatch/relays.ts";
import { type SchemaDocument, standalone } from "../../host/schema-document.ts";
import { effectiveRunPolicy } from "../../runs/attempts.ts";

interface ServiceParts {
  readonly described: readonly HostedProcedure[];
  readonly relayed: readonly RelayedTool[];
  /** The service's JSON Schema document. */
  readonly schemas: SchemaDocument;
}

export const describeProcedures = ({ described, relayed, schemas }: ServiceParts) => [
  ...described.map((target) => ({
    ...describeProcedure(target, schemas),
    run: toRunView(effectiveRunPolicy(target.entry.procedure)),
  })),
  ...relayed.map((each) => ({ ...describeRelayedTool(each, schemas), run: null })),
];

const toJson = (data: Readonly<Record<string, unknown>>): Record<string, never> => JSON.parse(JSON.stringify(data));

const describeProcedure = ({ entry, name, access, deadlineMs, streams }: HostedProcedure, schemas: SchemaDocument) => {
  const { procedure } = entry;
  return {
    name: entry.name,
    kind: procedure.kind,
    summary: procedure.summary,
    retry: procedure.retry,
    access,
    deprecated: procedure.deprecated === undefined ? null : deprecationText(procedure.deprecated),
    deadlineMs: Number.isFinite(deadlineMs) ? deadlineMs : null,
    placement: placementText(procedure.placement),
    streams: streams ?? null,
    errors: Object.entries(procedure.errors ?? {}).map(([reason, { code, when }]) => ({ reason, code, when })),
    questions: Object.entries(procedure.questions ?? {}).map(([name, { kind, when }]) => ({ name, kind, when })),
    examples: (procedure.examples ?? []).map(({ summary, input }) => ({
      summary,
      input: JSON.parse(JSON.stringify(input)),
    })),
    input: toJson(standalone(schemas, `${name}.input`)),
    output: toJson(standalone(schemas, `${name}.output`)),
  };
};

const toRunView = (policy: Required<RunPolicy> | undefined) => {
  if (policy === undefined) return null;
  const { onRestart, attempts, concurrency, deadlineMs } = policy;
  return { onRestart, attempts, concurrency, deadlineMs };
};

/** What a relayed tool's owner claims about repeats of it. Nothing claimed: as the procedure that takes its calls. */
const claimedRetry = (annotations: unknown) => {
  if (typeof annotations !== "object" || annotations === null) return {};
  if ("readOnlyHint" in annotations && annotations.readOnlyHint === true) {
    return { kind: "query", retry: "safe" } as const;
  }
  return "idempotentHint" in annotations && annotations.idempotentHint === true
    ? ({ retry: "idempotent" } as const)
    : {};
};

/** A relayed tool, in its owner's words. */
const describeRelayedTool = ({ through, tool, definition }: RelayedTool, schemas: SchemaDocument) => {
  const { description, inputSchema, annotations } = definition;
  const common = describeProcedure(through, schemas);
  const when = "the tool says that it has failed; MCP clients get its result as it came";
  return {
    ...common,
    ...claimedRetry(annotations),
    errors: [...common.errors, { ...toolFailed, when }],
    examples: [],
    name: `${through.instance.id}.${tool}`,
    summary: typeof description === "string" ? (description.split("\n")[0] ?? "") : "",
    input: toJson(typeof inputSchema === "object" && inputSchema !== null ? { ...inputSchema } : {}),
  };
};
