/**
 * An upstream's whole list of tools, page by page, as received. What is in it is judged elsewhere (`tools/tool-list.ts`).
 */
import type { Client } from "@modelcontextprotocol/client";
import { BadAnswer } from "./bad-answer.ts";
import { findHeaderParameters, type HeaderParameter } from "./call-headers.ts";
import { passThroughSchema } from "./pass-through-schema.ts";

const mostPages = 64;

/** Rejects with a `BadAnswer` when what arrived is not a list. An upstream without tools has an empty one. */
export const listTools = async (client: Client, timeout: number): Promise<readonly unknown[]> => {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: "tools/list", params }, passThroughSchema, { timeout });
    if (!isToolPage(answer)) throw new BadAnswer("the answer to tools/list has no list of tools");
    tools.push(...answer.tools);
    if (answer.nextCursor === undefined || answer.nextCursor === cursor) break;
    cursor = answer.nextCursor;
  }
  return tools;
};

/**
 * The tools without those whose wish for headers breaks the rules, which must not be called over HTTP. The SDK knows the rules, and is
 * only called when a tool has such headers.
 */
export const withoutBadHeaders = async (
  client: Client,
  tools: readonly unknown[],
  timeout: number,
): Promise<readonly unknown[]> => {
  if (client.getProtocolEra() !== "modern" || !tools.some(wantsHeaders)) return tools;
  const known = await client.listTools(undefined, { timeout, cacheMode: "refresh" }).catch(() => ({ tools: [] }));
  const names = new Set(known.tools.map(({ name }) => name));
  return tools.filter((tool) => !wantsHeaders(tool) || names.has(tool.name));
};

/** What each tool wants repeated in headers, of those that want it. */
export const toolHeaderParameters = (tools: readonly unknown[]): ReadonlyMap<string, readonly HeaderParameter[]> =>
  new Map(tools.filter(wantsHeaders).map(({ name, inputSchema }) => [name, findHeaderParameters(inputSchema)]));

interface ToolPage {
  readonly tools: readonly unknown[];
  readonly nextCursor?: string | undefined;
}

const isToolPage = (answer: unknown): answer is ToolPage =>
  typeof answer === "object" &&
  answer !== null &&
  "tools" in answer &&
  Array.isArray(answer.tools) &&
  (!("nextCursor" in answer) || answer.nextCursor === undefined || typeof answer.nextCursor === "string");

const wantsHeaders = (tool: unknown): tool is { readonly name: string; readonly inputSchema: object } =>
  typeof tool === "object" &&
  tool !== null &&
  "name" in tool &&
  typeof tool.name === "string" &&
  "inputSchema" in tool &&
  typeof tool.inputSchema === "object" &&
  tool.inputSchema !== null &&
  JSON.stringify(tool.inputSchema).includes('"x-mcp-header"');
