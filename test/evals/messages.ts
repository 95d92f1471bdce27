/** The parts of the Messages API that the eval's agent sends and reads. Shapes are the API's own. */

interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: boolean;
}

export type ModelBlock = TextBlock | ToolUseBlock;

export type Message =
  | { readonly role: "user"; readonly content: string | readonly (TextBlock | ToolResultBlock)[] }
  | { readonly role: "assistant"; readonly content: readonly ModelBlock[] };

export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** Of the last one: what stands before it is kept for the next request. */
  readonly cache_control?: { readonly type: "ephemeral" };
}

export interface ModelRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ModelTool[];
}

export interface ModelReply {
  readonly content: readonly ModelBlock[];
  readonly stop_reason: "end_turn" | "tool_use" | "max_tokens" | (string & {});
}

export const toolUses = (content: readonly ModelBlock[]): readonly ToolUseBlock[] =>
  content.flatMap((block) => (block.type === "tool_use" ? [block] : []));

export const toolResults = (message: Message | undefined): readonly ToolResultBlock[] =>
  message?.role !== "user" || typeof message.content === "string"
    ? []
    : message.content.flatMap((block) => (block.type === "tool_result" ? [block] : []));

export const textOf = (content: readonly ModelBlock[]): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
