/** The suite's tools that turn to the client while they run: logging, sampling and elicitation as the session era pushes them. */
import { setTimeout } from "node:timers/promises";
import { type FixtureTool, fixtureTool, textResult } from "./contents.ts";

const pauseMs = 20;

type Schema = Readonly<Record<string, unknown>>;

const form = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required,
});

/** A tool that asks the user to fill in a form and tells what came back. */
const asks = (name: string, message: string, requestedSchema: Schema): FixtureTool =>
  fixtureTool(name, async (_input, { mcpReq }) => {
    const answer = await mcpReq.send({ method: "elicitation/create", params: { message, requestedSchema } });
    return textResult(
      `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`,
    );
  });

const defaults = form({
  name: { type: "string", description: "User name", default: "John Doe" },
  age: { type: "integer", description: "User age", default: 30 },
  score: { type: "number", description: "User score", default: 95.5 },
  status: { type: "string", description: "User status", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", description: "Verification status", default: true },
});

const titled = (count: number, value: string, title: string): readonly Schema[] =>
  ["First", "Second", "Third"]
    .slice(0, count)
    .map((rank, at) => ({ const: `${value}${at + 1}`, title: `${rank} ${title}` }));

const choices = form({
  untitledSingle: { type: "string", description: "One of a list", enum: ["option1", "option2", "option3"] },
  titledSingle: { type: "string", description: "One of a titled list", oneOf: titled(3, "value", "Option") },
  legacyEnum: {
    type: "string",
    description: "One of a list with names beside it",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: {
    type: "array",
    description: "Some of a list",
    minItems: 1,
    maxItems: 3,
    items: { type: "string", enum: ["option1", "option2", "option3"] },
  },
  titledMulti: {
    type: "array",
    description: "Some of a titled list",
    minItems: 1,
    maxItems: 3,
    items: { anyOf: titled(3, "value", "Choice") },
  },
});

export const pushes: readonly FixtureTool[] = [
  fixtureTool("test_tool_with_logging", async (_input, { mcpReq }) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
      await setTimeout(pauseMs);
    }
    return textResult("Tool with logging executed successfully");
  }),
  fixtureTool("test_logging_tool", async (_input, { mcpReq }) => {
    await mcpReq.log("info", "sent only to who named a log level");
    return textResult("logged");
  }),
  fixtureTool(
    "test_sampling",
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: String(prompt) } }];
      const { content } = await mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
      const text = !Array.isArray(content) && content.type === "text" ? content.text : "no text";
      return textResult(`LLM response: ${text}`);
    },
    ["prompt"],
  ),
  fixtureTool(
    "test_elicitation",
    async ({ message }, { mcpReq }) => {
      const requestedSchema = form({ response: { type: "string", description: "User's response" } }, ["response"]);
      const params = { message: String(message), requestedSchema };
      const answer = await mcpReq.send({ method: "elicitation/create", params });
      return textResult(`User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
    },
    ["message"],
  ),
  asks("test_elicitation_sep1034_defaults", "Please review and update the form fields with defaults", defaults),
  asks("test_elicitation_sep1330_enums", "Please select options from the enum fields", choices),
];
