/**
 * Judges what only shows between contracts: ids, routes and tool names that clash, and endpoints with more tools than models
 * cope with. Also measures the tool lists.
 */
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import { buildTool, listTools, type ToolModel } from "../model/tool.ts";

/** Models choose worse, and pay for every tool in every conversation, beyond this. */
const mostTools = 40;

/** What the tool list of one endpoint costs before anything is done. */
export interface TokenCost {
  /** `/mcp` or `/mcp/<service>`. */
  readonly endpoint: string;
  /** Tools that are listed by default. */
  readonly tools: number;
  /** An estimate of what a model sees: names, descriptions and input schemas. Within a tenth of what the tokenizer o200k_base counts for our own tools. */
  readonly seen: number;
  /** Bytes of the list as JSON. */
  readonly bytes: number;
  /** An estimate: four bytes a token, which is close for JSON Schema in English. */
  readonly tokens: number;
}

interface SourcedProcedure {
  readonly procedure: ProcedureModel;
  readonly source: string;
}

export const checkProject = (services: readonly ServiceModel[]): readonly Diagnostic[] => {
  // What a second contract of one id repeats follows from the id.
  const firsts = services.filter(({ id }, index) => services.findIndex((each) => each.id === id) === index);
  const entries = firsts.flatMap((service) =>
    service.procedures.map((procedure): SourcedProcedure => ({ procedure, source: service.source })),
  );
  return [
    ...duplicateIds(services),
    ...duplicateRoutes(entries),
    ...duplicateTools(entries),
    ...duplicateVerbs(services),
    ...tooMany(services),
  ];
};

const duplicateIds = (services: readonly ServiceModel[]): readonly Diagnostic[] =>
  repeats(services, ({ id }) => id).map(([first, again]) =>
    diagnostic(
      "contract_duplicate",
      { source: again.source, where: again.id },
      {
        message: `the id \`${again.id}\` is used by ${first.source} too`,
        fix: "give one of them another id",
      },
    ),
  );

const duplicateRoutes = (entries: readonly SourcedProcedure[]): readonly Diagnostic[] =>
  repeats(entries, ({ procedure }) => procedure.path).map(([first, again]) =>
    diagnostic(
      "route_duplicate",
      { source: again.source, where: again.procedure.fullName },
      {
        message: `the HTTP path ${again.procedure.path} belongs to ${first.procedure.fullName} already`,
        fix: "change or remove `http.path`",
      },
    ),
  );

const duplicateTools = (entries: readonly SourcedProcedure[]): readonly Diagnostic[] =>
  repeats(
    entries.filter(({ procedure }) => buildTool(procedure) !== undefined),
    ({ procedure }) => String(procedure.tool),
  ).map(([first, again]) =>
    diagnostic(
      "tool_duplicate",
      { source: again.source, where: again.procedure.fullName },
      {
        message: `the tool \`${again.procedure.tool}\` on /mcp is ${first.procedure.fullName} already`,
        fix: "set `tool` to another name",
      },
    ),
  );

/** A word cannot be a verb and the group of another one. */
const duplicateVerbs = (services: readonly ServiceModel[]): readonly Diagnostic[] => {
  const verbs = services.flatMap(({ source, verbs }) => verbs.map((verb) => ({ source, verb })));
  const clashes = (a: string, b: string): boolean => a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `);
  return verbs.flatMap(({ source, verb }, index) => {
    const first = verbs.slice(0, index).find((earlier) => clashes(earlier.verb.name, verb.name));
    if (first === undefined) return [];
    return diagnostic(
      "verb_duplicate",
      { source, where: `${verb.service} verb ${JSON.stringify(verb.name)}` },
      {
        message: `the verb ${JSON.stringify(first.verb.name)} of ${first.verb.service} has that name or its first word`,
        fix: "rename one of them",
      },
    );
  });
};

/** Each item whose key an earlier item has, with that earlier one. */
const repeats = <T>(items: readonly T[], key: (item: T) => string): readonly (readonly [T, T])[] => {
  const firsts = new Map<string, T>();
  const found: (readonly [T, T])[] = [];
  for (const item of items) {
    const first = firsts.get(key(item));
    if (first === undefined) firsts.set(key(item), item);
    else found.push([first, item]);
  }
  return found;
};

const tooMany = (services: readonly ServiceModel[]): readonly Diagnostic[] =>
  endpoints(services)
    .filter(({ tools }) => tools.length > mostTools)
    .map(({ endpoint, source, tools }) =>
      diagnostic(
        "tool_too_many",
        { source, where: endpoint },
        {
          message: `${endpoint} lists ${tools.length} tools, over the ${mostTools} that models cope with`,
          fix: "set `tool: false` on what no model needs, or point clients at /mcp/<service>",
        },
      ),
    );

export const tokenCosts = (services: readonly ServiceModel[]): readonly TokenCost[] =>
  endpoints(services).map(({ endpoint, tools }) => {
    const sizes = tools.map(({ tool }) => measureTool(tool));
    const bytes = sizes.reduce((sum, { whole }) => sum + whole, 0);
    const seen = sizes.reduce((sum, { whole, unseen }) => sum + whole - unseen, 0);
    return { endpoint, tools: tools.length, seen: toTokens(seen), bytes, tokens: toTokens(bytes) };
  });

/** Bytes that are a token, in JSON Schema and English. */
const tokenBytes = 4;

const toTokens = (bytes: number): number => Math.ceil(bytes / tokenBytes);

/** What programs read of a tool, and models do not. */
const unseen = ({ title, outputSchema, annotations }: ToolModel["tool"]): object => ({
  title,
  outputSchema,
  annotations,
});

interface ToolSize {
  /** Bytes as JSON, with what divides it from the next one. */
  readonly whole: number;
  readonly unseen: number;
}

const known = new WeakMap<ToolModel["tool"], ToolSize>();

const measureTool = (tool: ToolModel["tool"]): ToolSize => {
  const before = known.get(tool);
  if (before !== undefined) return before;
  const size = { whole: measureJson(tool), unseen: measureJson(unseen(tool)) };
  known.set(tool, size);
  return size;
};

const measureJson = (value: object): number => Buffer.byteLength(JSON.stringify(value)) + 1;

interface ToolEndpoint {
  readonly endpoint: string;
  readonly source: string;
  readonly tools: readonly ToolModel[];
}

const endpoints = (services: readonly ServiceModel[]): readonly ToolEndpoint[] => {
  const each = services
    .map((service) => ({
      endpoint: `/mcp/${service.id}`,
      source: service.source,
      tools: listTools(service).filter(({ listed }) => listed !== "full"),
    }))
    .filter(({ tools }) => tools.length > 0);
  return [{ endpoint: "/mcp", source: ".", tools: each.flatMap(({ tools }) => tools) }, ...each];
};
