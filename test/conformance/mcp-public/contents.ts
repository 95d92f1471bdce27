/** The suite's tools whose results are pictures, sounds and resources, which Fairlead's own tools never return. */
import type {
  CallToolResult,
  ContentBlock,
  InputRequiredResult,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server";
import { png, wav } from "./media.ts";

export interface FixtureTool {
  readonly tool: Tool;
  readonly run: (
    input: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ) => Promise<CallToolResult | InputRequiredResult>;
}

export type Run = FixtureTool["run"];

/** A tool that takes these fields, all of them strings. */
export const fixtureTool = (name: string, run: Run, fields: readonly string[] = []): FixtureTool => ({
  tool: {
    name,
    description: `Fixture of the public conformance suite: ${name}`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field, { type: "string" }])),
      required: [...fields],
    },
  },
  run,
});

export const textResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

const returns = (name: string, ...content: ContentBlock[]): FixtureTool => fixtureTool(name, async () => ({ content }));

const resource = (uri: string, mimeType: string, text: string): ContentBlock => ({
  type: "resource",
  resource: { uri, mimeType, text },
});

const picture: ContentBlock = { type: "image", data: png, mimeType: "image/png" };

export const contents: readonly FixtureTool[] = [
  returns("test_image_content", picture),
  returns("test_audio_content", { type: "audio", data: wav, mimeType: "audio/wav" }),
  returns(
    "test_embedded_resource",
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ),
  returns(
    "test_multiple_content_types",
    { type: "text", text: "Multiple content types test:" },
    picture,
    resource("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
  ),
];
