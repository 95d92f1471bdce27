/**
 * The suite's tools that need more than one round trip: they answer with what they want to know until the repeated request
 * brings it (`input_required` of 2026-07-28). What they remember travels in a state that is signed, since the client holds it.
 */
import { randomBytes, randomUUID } from "node:crypto";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { type FixtureTool, fixtureTool, textResult } from "./contents.ts";

type State = Readonly<Record<string, unknown>>;

/** Signs and checks the states of this process. */
export const states = createRequestStateCodec<State>({ key: randomBytes(32) });

const sign = (state: State): Promise<string> => states.mint({ ...state, nonce: randomUUID() });

const askFor = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
  });

const askOk = () =>
  inputRequired.elicit({
    message: "Please confirm",
    requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
  });

const askName = () => askFor("What is your name?", "name");

const askModel = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 100 });

type Responses = Readonly<Record<string, unknown>> | undefined;

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** What the user filled in. */
export const filledIn = (responses: Responses, key: string, field: string): string | undefined => {
  const value = acceptedContent<Record<string, unknown>>(responses, key)?.[field];
  return typeof value === "string" ? value : undefined;
};

const modelSaid = (responses: Responses, key: string): string | undefined => {
  const { text } = record(record(responses?.[key]).content);
  return typeof text === "string" ? text : undefined;
};

const rootsOf = (responses: Responses): readonly unknown[] | undefined => {
  const { roots } = record(responses?.client_roots);
  return Array.isArray(roots) ? roots : undefined;
};

/** A tool that wants one confirmation, and its own state back untouched. */
const confirms = (name: string, done: string): FixtureTool =>
  fixtureTool(name, async (_input, { mcpReq }) => {
    if (acceptedContent(mcpReq.inputResponses, "confirm") === undefined) {
      const confirm = askOk();
      return inputRequired({ inputRequests: { confirm }, requestState: await sign({ name }) });
    }
    if (mcpReq.requestState<State>()?.name === name) return textResult(done);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid requestState: it is missing or another tool's");
  });

export const rounds: readonly FixtureTool[] = [
  fixtureTool("test_missing_capability", async (_input, { mcpReq }) => {
    const answer = modelSaid(mcpReq.inputResponses, "llm_answer");
    if (answer !== undefined) return textResult(answer);
    return inputRequired({ inputRequests: { llm_answer: askModel("Reply with one word") } });
  }),
  fixtureTool("test_input_required_result_elicitation", async (_input, { mcpReq }) => {
    const name = filledIn(mcpReq.inputResponses, "user_name", "name");
    return name === undefined
      ? inputRequired({ inputRequests: { user_name: askName() } })
      : textResult(`Hello, ${name}!`);
  }),
  fixtureTool("test_input_required_result_sampling", async (_input, { mcpReq }) => {
    const answer = modelSaid(mcpReq.inputResponses, "capital_question");
    if (answer !== undefined) return textResult(`Sampling response: ${answer}`);
    return inputRequired({ inputRequests: { capital_question: askModel("What is the capital of France?") } });
  }),
  fixtureTool("test_input_required_result_list_roots", async (_input, { mcpReq }) => {
    const roots = rootsOf(mcpReq.inputResponses);
    if (roots === undefined) return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    return textResult(`Client exposed roots: ${roots.map((root) => String(record(root).uri)).join(", ")}`);
  }),
  confirms("test_input_required_result_request_state", "state-ok: the state came back as it was sent"),
  confirms("test_input_required_result_tampered_state", "integrity-ok: the state came back as it was sent"),
  fixtureTool("test_input_required_result_multiple_inputs", async (_input, { mcpReq }) => {
    const name = filledIn(mcpReq.inputResponses, "user_name", "name");
    const greeting = modelSaid(mcpReq.inputResponses, "greeting");
    const roots = rootsOf(mcpReq.inputResponses);
    if (name !== undefined && greeting !== undefined && roots !== undefined) {
      return textResult(`${greeting} ${name}, ${roots.length} roots are visible`);
    }
    return inputRequired({
      inputRequests: {
        user_name: askName(),
        greeting: askModel("Generate a greeting"),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await sign({}),
    });
  }),
  fixtureTool("test_input_required_result_multi_round", async (_input, { mcpReq }) => {
    const { round = 0, name } = mcpReq.requestState<State>() ?? {};
    if (round === 0) {
      return inputRequired({ inputRequests: { step1: askName() }, requestState: await sign({ round: 1 }) });
    }
    if (round === 1) {
      const given = filledIn(mcpReq.inputResponses, "step1", "name") ?? "nobody";
      const step2 = askFor("What is your favorite color?", "color");
      return inputRequired({ inputRequests: { step2 }, requestState: await sign({ round: 2, name: given }) });
    }
    return textResult(`${String(name)} likes ${filledIn(mcpReq.inputResponses, "step2", "color") ?? "nothing"}`);
  }),
  fixtureTool("test_input_required_result_capabilities", async (_input, { mcpReq }) => {
    if (mcpReq.inputResponses !== undefined) return textResult("every input that was asked for arrived");
    const able = record(record(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]);
    const inputRequests: InputRequests = {
      ...(able.elicitation !== undefined && { user_name: askName() }),
      ...(able.sampling !== undefined && { greeting: askModel("Generate a short greeting") }),
      ...(able.roots !== undefined && { client_roots: inputRequired.listRoots() }),
    };
    if (Object.keys(inputRequests).length === 0) return textResult("the client can answer nothing");
    return inputRequired({ inputRequests });
  }),
];
