/**
 * One upstream's tools as we show them: parsed from its list, filtered and renamed by our rules, with clean texts. Pure.
 *
 * A tool that cannot be shown safely is unusable out with the reason; it never takes the others with it. Not here: pins, and how the
 * tools of several upstreams are put together (`catalogue.ts`).
 */
import { cleanText, isClean, toolGroup, toolSource } from "@fairlead/contracts";
import type { ToolRules } from "../machine/target.ts";
import { cleanSchema } from "./clean-schema.ts";
import type { Definition } from "./pins.ts";
import { relayedName } from "./relayed-name.ts";

/** A tool as MCP clients see it. */
export interface ShownTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** What a call may be repeated after, as the upstream claims. */
type Repeat = "harmless" | "harmful";

export interface UpstreamTool {
  /** The upstream's own name for it. */
  readonly name: string;
  readonly repeat: Repeat;
  readonly shown: ShownTool;
}

export interface UnusableTool {
  readonly name: string;
  readonly why: string;
}

const limits = { tools: 1_000, name: 200, title: 200, description: 8_000, schemaBytes: 256 * 1_024 } as const;

/** The tools in an unchecked list, each name once; and the items that are none, with the reason. */
export const parseDefinitions = (
  list: readonly unknown[],
  most: number = limits.tools,
): { readonly definitions: readonly Definition[]; readonly unusable: readonly UnusableTool[] } => {
  const found = new Map<string, Definition>();
  const unusable: UnusableTool[] = [];
  for (const item of list.slice(0, most)) {
    if (!isDefinition(item)) unusable.push({ name: formatName(item), why: "it has no usable name" });
    else if (found.has(item.name)) unusable.push({ name: item.name, why: "the name is used twice" });
    else found.set(item.name, item);
  }
  if (list.length > most) unusable.push({ name: "…", why: `there are more than ${most} tools` });
  return { definitions: [...found.values()], unusable: unusable };
};

export const isAllowed = (name: string, { allow, deny = [] }: ToolRules): boolean =>
  (allow === undefined || allow.includes(name)) && !deny.includes(name);

/** What a rule says of a tool of that name. */
export const ownRule = <T>(rule: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  rule !== undefined && Object.hasOwn(rule, name) ? rule[name] : undefined;

/** The name a tool is shown under, by our rules. */
export const shownName = (connection: string, { rename }: ToolRules, name: string): string =>
  relayedName(connection, ownRule(rename, name) ?? name);

/** Whose tool it is, and who shows it. */
export interface ToolContext {
  readonly connection: string;
  readonly rules: ToolRules;
  /** The group that the connection is of. */
  readonly group?: string | undefined;
  /** Names this very kernel, among those that relay to each other. */
  readonly instance: string;
}

/** In a relayed tool's `_meta`: the kernels that it has come through, so that none of them takes its own for another's. */
const viaKey = "fairlead/via";
const maxHops = 8;

/** The tool as it is shown, or why it is not. */
export const toShownTool = (
  { connection, rules, group, instance }: ToolContext,
  definition: Definition,
): UpstreamTool | UnusableTool => {
  const { name, title, description, outputSchema, annotations } = definition;
  const via = parseVia(definition);
  if (via.includes(instance)) return { name, why: "it comes from here" };
  if (via.length >= maxHops) return { name, why: `it has come through ${maxHops} kernels` };
  const inputSchema = parseSchema(definition.inputSchema);
  if (inputSchema === undefined || inputSchema.type !== "object") {
    return {
      name,
      why: "its input schema is not an object schema, nests too deeply, is too large, or hides characters",
    };
  }
  const output = outputSchema === undefined ? undefined : parseSchema(outputSchema);
  if (outputSchema !== undefined && output === undefined) {
    return { name, why: "its output schema nests too deeply, is too large, or hides characters" };
  }
  const hints = { ...parseHints(annotations), ...ownRule(rules.annotate, name) };
  return {
    name,
    repeat: hints.readOnlyHint === true || hints.idempotentHint === true ? "harmless" : "harmful",
    shown: {
      name: shownName(connection, rules, name),
      ...(typeof title === "string" && { title: cleanText(title, limits.title) }),
      description:
        ownRule(rules.describe, name) ??
        (typeof description === "string" ? cleanText(description, limits.description) : ""),
      inputSchema,
      ...(output !== undefined && { outputSchema: output }),
      ...(Object.keys(hints).length > 0 && { annotations: hints }),
      _meta: {
        [viaKey]: [...via, instance],
        [toolSource]: connection,
        ...(group !== undefined && { [toolGroup]: group }),
      },
    },
  };
};

export const isUnusable = (tool: UpstreamTool | UnusableTool): tool is UnusableTool => "why" in tool;

const isDefinition = (item: unknown): item is Definition =>
  typeof item === "object" &&
  item !== null &&
  "name" in item &&
  typeof item.name === "string" &&
  item.name !== "" &&
  item.name !== "__proto__" &&
  item.name.length <= limits.name &&
  isClean(item.name);

const formatName = (item: unknown): string =>
  typeof item === "object" && item !== null && "name" in item ? cleanText(String(item.name), 80) : "(no object)";

const parseSchema = (schema: unknown): Readonly<Record<string, unknown>> | undefined => {
  const cleaned = cleanSchema(schema);
  if (typeof cleaned !== "object" || cleaned === null || Array.isArray(cleaned)) return undefined;
  return JSON.stringify(cleaned).length > limits.schemaBytes ? undefined : { ...cleaned };
};

const parseVia = ({ _meta }: Definition): readonly string[] => {
  const via: unknown = typeof _meta === "object" && _meta !== null ? Reflect.get(_meta, viaKey) : undefined;
  return Array.isArray(via) ? via.filter((each) => typeof each === "string").slice(0, maxHops) : [];
};

const hintNames = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** The upstream's claims about its tool; a reader is to doubt them. */
const parseHints = (annotations: unknown): Readonly<Record<string, unknown>> => {
  if (typeof annotations !== "object" || annotations === null) return {};
  const claims: Readonly<Record<string, unknown>> = { ...annotations };
  const hints = hintNames.flatMap((name) => (typeof claims[name] === "boolean" ? [[name, claims[name]] as const] : []));
  return Object.fromEntries([
    ...(typeof claims.title === "string" ? [["title", cleanText(claims.title, limits.title)] as const] : []),
    ...hints,
  ]);
};
