/** The parts of the protocol that Fairlead does not offer and the suite calls all the same: resources, prompts, completion, logging. */
import {
  type GetPromptResult,
  inputRequired,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Server,
} from "@modelcontextprotocol/server";
import { png } from "./media.ts";
import { filledIn } from "./rounds.ts";

export const extraCapabilities = {
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};

const resources = [
  { uri: "test://static-text", name: "static-text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static-binary", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "watched-resource", mimeType: "text/plain" },
];

const template = { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" };

const read = (uri: string): ReadResourceResult => {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: "application/json", text }] };
  }
  switch (uri) {
    case "test://static-text":
      return { contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }] };
    case "test://static-binary":
      return { contents: [{ uri, mimeType: "image/png", blob: png }] };
    case "test://watched-resource":
      return { contents: [{ uri, mimeType: "text/plain", text: "Watched resource content" }] };
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource not found: ${uri}`, { uri });
  }
};

const required = (...names: readonly string[]) => names.map((name) => ({ name, required: true }));

const prompts = [
  { name: "test_simple_prompt", description: "A prompt without arguments" },
  { name: "test_prompt_with_arguments", description: "A prompt with arguments", arguments: required("arg1", "arg2") },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt with a resource",
    arguments: required("resourceUri"),
  },
  { name: "test_prompt_with_image", description: "A prompt with a picture" },
  { name: "test_input_required_result_prompt", description: "A prompt that asks for its context first" },
];

const user = (content: PromptMessage["content"]): PromptMessage => ({ role: "user", content });
const saying = (text: string): PromptMessage => user({ type: "text", text });

const prompt = (name: string, args: Readonly<Record<string, string>>): GetPromptResult => {
  switch (name) {
    case "test_simple_prompt":
      return { messages: [saying("This is a simple prompt for testing.")] };
    case "test_prompt_with_arguments":
      return { messages: [saying(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)] };
    case "test_prompt_with_embedded_resource": {
      const resource = {
        uri: args.resourceUri ?? "",
        mimeType: "text/plain",
        text: "Embedded resource content for testing.",
      };
      return {
        messages: [user({ type: "resource", resource }), saying("Please process the embedded resource above.")],
      };
    }
    case "test_prompt_with_image":
      return {
        messages: [
          user({ type: "image", data: png, mimeType: "image/png" }),
          saying("Please analyze the image above."),
        ],
      };
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
  }
};

const askContext = () =>
  inputRequired.elicit({
    message: "What context should the prompt use?",
    requestedSchema: { type: "object", properties: { context: { type: "string" } }, required: ["context"] },
  });

export const installExtras = (server: Server): void => {
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [template] }));
  server.setRequestHandler("resources/read", ({ params }) => read(params.uri));
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.setRequestHandler("prompts/list", () => ({ prompts }));
  server.setRequestHandler("prompts/get", ({ params }, { mcpReq }) => {
    if (params.name !== "test_input_required_result_prompt") return prompt(params.name, params.arguments ?? {});
    const context = filledIn(mcpReq.inputResponses, "user_context", "context");
    if (context === undefined) return inputRequired({ inputRequests: { user_context: askContext() } });
    return { messages: [saying(`Use the following context: ${context}`)] };
  });
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0, hasMore: false } }));
};
