/**
 * `?mode=search`: an address for clients that do not search for tools by themselves. It lists five tools in place of all: one finds tools, one describes a
 * tool, and three call one, each of its own tier, so that a client can ask a person before it destroys something. The tier is that of the tool that is
 * called; a tool that says nothing of itself is of the last.
 *
 * Loaded when a client uses it. Not here: the index (`tool-index.ts`), and the call itself, which is the same as anywhere (`call.ts`).
 */
import { didYouMean, type WireError } from "@fairlead/contracts";
import type { Tool } from "@modelcontextprotocol/server";
import type { Principal } from "../../../call/call.ts";
import { failure } from "../../../call/error.ts";
import { readMember } from "../../../call/record.ts";
import { makeToolIndex, type ToolSearch } from "./tool-index.ts";

/** What this needs of the address that it stands in front of. */
interface SearchedEndpoint {
  tools(principal: Principal): readonly Tool[];
}

/** What a call of one of the five leads to. */
export type ToolChoice =
  | { readonly kind: "call"; readonly name: string; readonly input: unknown }
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "refused"; readonly error: WireError };

interface ToolChooser {
  tools(principal: Principal): readonly Tool[];
  /** What is none of the five is refused: a client asks a person by the name that it calls. */
  choose(name: string, input: unknown, principal: Principal): ToolChoice;
}

type Tier = "read" | "write" | "destructive";

const tiers: readonly Tier[] = ["read", "write", "destructive"];
const toCaller: Readonly<Record<Tier, string>> = {
  read: "call_read",
  write: "call_write",
  destructive: "call_destructive",
};
const does: Readonly<Record<Tier, string>> = {
  read: "that changes nothing",
  write: "that changes something",
  destructive: "that may destroy something",
};

const defaultFound = 5;
const mostFound = 20;

const text = { type: "string" } as const;

const searchTool: Tool = {
  name: "search_tools",
  title: "Search tools",
  description: "Finds tools by what they do: their names, arguments, and what calls them",
  inputSchema: {
    type: "object",
    properties: {
      query: { ...text, description: "What the tool should do" },
      limit: { type: "integer", default: defaultFound },
    },
    required: ["query"],
  },
  annotations: { title: "Search tools", readOnlyHint: true, openWorldHint: false },
};

const describeTool: Tool = {
  name: "describe_tool",
  title: "Describe tool",
  description: "The input schema of a tool",
  inputSchema: { type: "object", properties: { name: text }, required: ["name"] },
  annotations: { title: "Describe tool", readOnlyHint: true, openWorldHint: false },
};

const makeCallTool = (tier: Tier): Tool => {
  const title = `Call a tool ${does[tier]}`;
  return {
    name: toCaller[tier],
    title,
    description: title,
    inputSchema: { type: "object", properties: { name: text, arguments: { type: "object" } }, required: ["name"] },
    annotations: { title, readOnlyHint: tier === "read", destructiveHint: tier === "destructive" },
  };
};

const callTools: Readonly<Record<Tier, Tool>> = {
  read: makeCallTool("read"),
  write: makeCallTool("write"),
  destructive: makeCallTool("destructive"),
};

/** Indexes that are kept, for principals that see different tools. */
const mostIndexes = 8;

export const makeToolChooser = (endpoint: SearchedEndpoint): ToolChooser => {
  const kept: { readonly tools: readonly Tool[]; readonly search: ToolSearch }[] = [];
  const index = (tools: readonly Tool[]): ToolSearch => {
    const known = kept.find((each) => isSame(each.tools, tools));
    if (known !== undefined) return known.search;
    if (kept.length >= mostIndexes) kept.shift();
    const search = makeToolIndex(tools);
    kept.push({ tools, search });
    return search;
  };
  return {
    tools: (principal) => {
      const there = new Set(endpoint.tools(principal).map(readTier));
      return [searchTool, describeTool, ...tiers.flatMap((tier) => (there.has(tier) ? [callTools[tier]] : []))];
    },
    choose: (name, input, principal) => {
      const called = tiers.find((tier) => toCaller[tier] === name);
      const tools = endpoint.tools(principal);
      if (called === undefined && name !== searchTool.name && name !== describeTool.name) return notListed(name, tools);
      if (name === searchTool.name) return search(tools, index(tools), input);
      const target = readMember(input, "name");
      if (typeof target !== "string") return refuse("name", "the name of a tool, as search_tools gives it");
      // What this principal is not shown is unknown to it here, too.
      const tool = tools.find((each) => each.name === target);
      if (tool === undefined) return unknownTool(target, tools);
      if (called === undefined) return { kind: "answer", text: describe(tool) };
      const tier = readTier(tool);
      if (tier !== called) return refuse("name", `a tool ${does[called]}; ${toCaller[tier]} calls ${tool.name}`);
      return { kind: "call", name: target, input: readMember(input, "arguments") };
    },
  };
};

const isSame = (one: readonly Tool[], other: readonly Tool[]): boolean =>
  one.length === other.length && one.every((tool, at) => tool === other[at]);

/** As the protocol reads annotations: what does not say that it only adds may destroy. Of two that exclude each other the stricter one counts. */
const readTier = ({ annotations: { readOnlyHint, destructiveHint } = {} }: Tool): Tier => {
  if (readOnlyHint === true && destructiveHint !== true) return "read";
  return destructiveHint === false ? "write" : "destructive";
};

const search = (tools: readonly Tool[], find: ToolSearch, input: unknown): ToolChoice => {
  const query = readMember(input, "query");
  const limit = readMember(input, "limit") ?? defaultFound;
  if (typeof query !== "string" || query.trim() === "") return refuse("query", "words of what the tool should do");
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > mostFound)
    return refuse("limit", `a whole number from 1 to ${mostFound}`);
  const found = find(query, limit).flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
  return { kind: "answer", text: found.length === 0 ? nothingFound(tools) : found.map(toLine).join("\n") };
};

const nothingFound = (tools: readonly Tool[]): string =>
  `None of ${tools.length} tools has any of these words; try others, like the thing that is changed or the place that it is in`;

const longestDescription = 200;
const mostParameters = 12;

/** `call_read mcp_status(name: string): State of a connection`; what may be left out has a question mark. */
const toLine = (tool: Tool): string => {
  const { name, title = "", description = title, inputSchema } = tool;
  const { properties = {}, required = [] } = inputSchema;
  const parameters = Object.entries(properties).map(
    ([field, schema]) => `${field}${required.includes(field) ? "" : "?"}: ${typeName(schema)}`,
  );
  const more = parameters.length > mostParameters ? [...parameters.slice(0, mostParameters), "…"] : parameters;
  const [first = ""] = description.split("\n");
  const words = first.length > longestDescription ? `${first.slice(0, longestDescription)}…` : first;
  return `${toCaller[readTier(tool)]} ${name}(${more.join(", ")}): ${words}`;
};

const typeName = (schema: unknown): string => {
  const type = readMember(schema, "type");
  return Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "any";
};

/** Characters of a schema that a model gets; of a longer one it gets the beginning. */
const longestSchema = 8_000;

const describe = (tool: Tool): string => {
  const { name, description, inputSchema } = tool;
  const whole = JSON.stringify({ name, calledBy: toCaller[readTier(tool)], description, inputSchema });
  return whole.length <= longestSchema ? whole : `${whole.slice(0, longestSchema)}… (cut: ${whole.length} characters)`;
};

const refuse = (path: string, expected: string): ToolChoice => ({
  kind: "refused",
  error: failure("invalid_argument", `${path} must be ${expected}`, {
    issues: [{ path, expected, fix: `send ${expected}` }],
  }).toJSON(),
});

const notListed = (name: string, tools: readonly Tool[]): ToolChoice => {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return unknownTool(name, tools);
  const caller = toCaller[readTier(tool)];
  const hint = `call ${caller} with ${JSON.stringify({ name, arguments: {} })}`;
  const error = failure("failed_precondition", `${name} is not called by its own name here; ${caller} calls ${name}`, {
    hint,
  });
  return { kind: "refused", error: error.toJSON() };
};

const unknownTool = (name: string, tools: readonly Tool[]): ToolChoice => {
  const meant = didYouMean(
    name,
    tools.map((tool) => tool.name),
  );
  const hint = meant === undefined ? "search_tools finds the tools that there are" : `did you mean ${meant}?`;
  return { kind: "refused", error: failure("not_found", "there is no such tool here", { hint }).toJSON() };
};
