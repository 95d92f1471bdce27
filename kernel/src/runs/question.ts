/**
 * Questions of a contract on their way to a person and back: as MCP's elicitation, which every transport that can ask understands, and as
 * what a run waits for.
 *
 * Not here: who is asked (the transports), and who may answer (`open-runs.ts`).
 */
import { once } from "node:events";
import { asZod4, decoder, FairleadError, type Procedure, type QuestionDeclaration } from "@fairlead/contracts";
import { toJSONSchema } from "zod/v4/core";
import type { CallRequest, Question } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { issuesText } from "../limits/output-size.ts";
import type { RunAnswer, RunQuestion } from "./run.ts";

/** Where a question's name in its contract is, for a run to know it again. */
const nameKey = "fairlead/question";

/** The call whose handler asks. */
interface QuestionCall {
  readonly request: Pick<CallRequest, "transport">;
  readonly target: { readonly entry: { readonly name: string; readonly procedure: Procedure } };
  readonly ask?: CallRequest["ask"];
  readonly signal: AbortSignal;
}

/** Asks the caller a declared question: `true` or `false` to one of yes or no, the decoded form to the other kind. Rejects with a `FairleadError`. */
export const askQuestion = (
  { request: { transport }, target, ask, signal }: QuestionCall,
  name: string,
  message: string,
): Promise<unknown> => {
  const { name: procedure, procedure: definition } = target.entry;
  const declaration = declaredQuestion(definition, name);
  if (declaration === undefined) return Promise.reject(new Error(`${procedure} does not declare the question ${name}`));
  if (ask === undefined) return Promise.reject(cannotAsk(procedure, definition, transport));
  const params = { message, requestedSchema: answerSchema(declaration), _meta: { [nameKey]: name } };
  // The handler is not to wait on when its call has ended.
  return Promise.race([ask({ method: "elicitation/create", params }), untilAborted(signal)]).then(
    (raw) => readAnswer(declaration, raw, name),
    (cause) => {
      // A caller that could be asked something else, like an MCP client that takes no forms.
      const isUnable = cause instanceof FairleadError && cause.code === "unimplemented";
      throw isUnable ? cannotAsk(procedure, definition, transport) : cause;
    },
  );
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  (signal.aborted ? Promise.resolve() : once(signal, "abort")).then(() => Promise.reject(signal.reason));

/** Its declaration in the contract. */
export const declaredQuestion = ({ questions }: Procedure, name: string): QuestionDeclaration | undefined =>
  questions !== undefined && Object.hasOwn(questions, name) ? questions[name] : undefined;

/** Why an answer is refused; `undefined` for one that fits. */
export const refuseAnswer = (declaration: QuestionDeclaration, { action, content }: RunAnswer): string | undefined => {
  if (action === "decline") return undefined;
  if (declaration.kind === "confirm") return hasFields(content) ? formForConfirm : undefined;
  const decoded = decoder(declaration.answer)(content ?? {});
  return decoded.ok ? undefined : issuesText(decoded.issues, content ?? {});
};

/** A form like `{"yes": false}` would count as yes otherwise. */
const formForConfirm = "the question is for yes or no, and takes no form: accept it without one, or decline it";

const hasFields = (content: unknown): boolean => Object.keys(Object(content)).length > 0;

const readAnswer = (declaration: QuestionDeclaration, raw: unknown, name: string): unknown => {
  const { action, content = {} } = (typeof raw === "object" && raw !== null ? raw : {}) as Partial<RunAnswer>;
  if (declaration.kind === "confirm") return action === "accept";
  if (action !== "accept") throw failure("failed_precondition", `the question ${name} was not answered`);
  const decoded = decoder(declaration.answer)(content);
  if (decoded.ok) return decoded.value;
  throw failure("failed_precondition", `the answer to ${name} does not fit: ${issuesText(decoded.issues, content)}`);
};

/** A declared question as what a run waits for; `undefined` for any other. Counts how often each was asked. */
export const toRunQuestion = ({ params }: Question, asked: Map<string, number>): RunQuestion | undefined => {
  const { _meta: meta, message, requestedSchema } = params;
  const name = typeof meta === "object" && meta !== null && nameKey in meta ? meta[nameKey] : undefined;
  if (typeof name !== "string" || typeof requestedSchema !== "object" || requestedSchema === null) return undefined;
  const count = asked.get(name) ?? 0;
  asked.set(name, count + 1);
  const properties = "properties" in requestedSchema ? requestedSchema.properties : undefined;
  const isForm = typeof properties === "object" && properties !== null && Object.keys(properties).length > 0;
  return {
    id: `${name}-${count + 1}`,
    name,
    kind: isForm ? "form" : "confirm",
    message: String(message).slice(0, 2_000),
    schema: requestedSchema as RunQuestion["schema"],
  };
};

/** Of yes or no an empty form: to send it is yes. */
const answerSchema = (declaration: QuestionDeclaration): Readonly<Record<string, unknown>> => {
  if (declaration.kind === "confirm") return { type: "object", properties: {} };
  const { $schema: _, ...schema } = toJSONSchema(asZod4(declaration.answer), { io: "input", unrepresentable: "any" });
  return schema;
};

const cannotAsk = (procedure: string, { run }: Procedure, transport: CallRequest["transport"]): Error =>
  failure("failed_precondition", `${procedure} has a question, and its caller cannot be asked`, {
    hint: transport === "mcp" ? forModels(procedure, run !== undefined) : forPrograms(procedure, run !== undefined),
  });

const forPrograms = (procedure: string, canRun: boolean): string =>
  canRun
    ? `start it as a run (\`Prefer: respond-async\`, \`fairlead call ${procedure} --start\`) and answer that`
    : "call it by an MCP client that takes forms, or from a terminal";

/** A model cannot start a run, and its client stays the one that it is. */
const forModels = (procedure: string, canRun: boolean): string =>
  `the user can run it and answer there: \`fairlead call ${procedure}${canRun ? " --start" : " --data <input>"}\``;
