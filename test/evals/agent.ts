/**
 * The agent of the eval: an MCP client and a model in a loop, as a host has them. The model sees the tools of one address and gets the text of each
 * answer, until it calls nothing more.
 *
 * Not here: which model (`model.ts`), and whether it did well (`score.ts`).
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Message, type ModelTool, textOf, toolUses } from "./messages.ts";
import { askModel, type ModelAddress } from "./model.ts";

/** A call that the model made. */
export interface MadeCall {
  readonly tool: string;
  readonly input: unknown;
  readonly failed: boolean;
  /** What the model read. */
  readonly answer: string;
}

export interface Run {
  readonly calls: readonly MadeCall[];
  /** The last words of the model; empty where it never came to an end. */
  readonly said: string;
  /** What the model was shown before the first word. */
  readonly tools: readonly ModelTool[];
  readonly instructions: string;
}

export interface AgentParts {
  /** The MCP address. */
  readonly at: URL;
  readonly model: ModelAddress;
}

/** Replies of the model; one that goes on beyond is given up. */
const mostTurns = 16;
const maxTokens = 2_048;

const task =
  "Do what the user asks with the tools that you have. Then answer in one or two sentences, with the facts that the tools gave.";

export const runAgent = async ({ at, model }: AgentParts, ask: string): Promise<Run> => {
  const client = new Client({ name: "fairlead-evals", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(at));
  try {
    const tools = await listTools(client);
    const instructions = client.getInstructions() ?? "";
    const system = [task, instructions].filter((text) => text !== "").join("\n\n");
    const messages: Message[] = [{ role: "user", content: ask }];
    const calls: MadeCall[] = [];
    for (let turns = 0; turns < mostTurns; turns += 1) {
      const { content } = await askModel(model, { max_tokens: maxTokens, system, tools, messages });
      const uses = toolUses(content);
      if (uses.length === 0) return { calls, said: textOf(content), tools, instructions };
      messages.push({ role: "assistant", content });
      const results = [];
      for (const { id, name, input } of uses) {
        const call = await callTool(client, name, input);
        calls.push(call);
        results.push({ type: "tool_result", tool_use_id: id, content: call.answer, is_error: call.failed } as const);
      }
      messages.push({ role: "user", content: results });
    }
    return { calls, said: "", tools, instructions };
  } finally {
    await client.close();
  }
};

/** What a model sees of each tool. */
const listTools = async (client: Client): Promise<readonly ModelTool[]> => {
  const { tools } = await client.listTools();
  const last = tools.length - 1;
  return tools.map(({ name, description, inputSchema }, at) => ({
    name,
    ...(description !== undefined && { description }),
    input_schema: inputSchema,
    ...(at === last && { cache_control: { type: "ephemeral" } as const }),
  }));
};

const callTool = async (client: Client, tool: string, input: unknown): Promise<MadeCall> => {
  try {
    const { content, isError = false } = await client.callTool({ name: tool, arguments: { ...Object(input) } });
    const answer = content.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join("\n");
    return { tool, input, failed: isError, answer };
  } catch (cause) {
    // The model reads what is wrong, as hosts show it, and may go on.
    return { tool, input, failed: true, answer: cause instanceof Error ? cause.message : String(cause) };
  }
};
