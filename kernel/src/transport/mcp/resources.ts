/**
 * Reading resources: those that contracts declare, and the files that downloads give. A tool's answer is linked to one of those, and reading it calls the
 * procedure, with the rights of whoever reads. Loaded when somebody looks at one.
 *
 * Not here: what an address says (`files/file-uri.ts`), and a file's contents (`files/contents.ts`).
 */
import { codes, FairleadError, type WireError } from "@fairlead/contracts";
import {
  type CallToolResult,
  ProtocolError,
  type ReadResourceResult,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { ByteSource, CallRequest, Dispatch, Principal } from "../../call/call.ts";
import { toWireError } from "../../call/error.ts";
import { isRecord, readMember } from "../../call/record.ts";
import type { ToolEntry } from "../../host/manifest.ts";
import { readResource as readOwn } from "../../resources/resources.ts";
import type { Surroundings } from "../transport.ts";
import { inClientWords } from "./answer/client-words.ts";
import type { Endpoint } from "./endpoint.ts";
import { type FileMemory, readContents } from "./files/contents.ts";
import { addressedInput, fileTemplate, fileUri, parseFileUri } from "./files/file-uri.ts";
import { nothingThere } from "./resources/not-found.ts";
import { errorKey } from "./result.ts";

interface ResourceParts {
  readonly endpoint: Endpoint;
  readonly dispatch: Dispatch;
  readonly log: Surroundings["log"];
  readonly held: FileMemory;
}

/** The terms of a call for whoever reads a resource. */
type Terms = Omit<CallRequest, "procedure" | "input">;

/** Milliseconds that bytes may take to come, where the reader does not say. */
const readMs = 60_000;

export const listFileTemplates = (endpoint: Endpoint, principal: Principal): readonly ResourceTemplateType[] =>
  endpoint.fileTools(principal).flatMap(({ procedure: name, tool }) => {
    const procedure = endpoint.procedure(name);
    const required = readMember(tool.inputSchema, "required");
    const uriTemplate =
      procedure === undefined ? undefined : fileTemplate(name, procedure, Array.isArray(required) ? required : []);
    if (procedure === undefined || uriTemplate === undefined) return [];
    return [{ uriTemplate, name: tool.name, description: procedure.summary }];
  });

/** Throws a `ProtocolError` for what there is not, may not be read, or cannot be read. */
export const readResource = async (
  { endpoint, dispatch, log, held }: ResourceParts,
  uri: string,
  terms: Terms,
): Promise<ReadResourceResult> => {
  const contracts = endpoint.contracts(terms.principal);
  const own = await readOwn({ contracts, dispatch, terms }, uri);
  if (own?.ok === true) return { contents: [{ ...own.value }] };
  if (own !== undefined) throw refusal(own.error, endpoint);
  const address = parseFileUri(uri);
  const entry = endpoint.fileTools(terms.principal).find((each) => each.procedure === address?.procedure);
  const procedure = entry === undefined ? undefined : endpoint.procedure(entry.procedure);
  if (address === undefined || entry === undefined || procedure === undefined) throw nothingThere();
  const name = entry.procedure;
  const reply = await dispatch.call({ ...terms, procedure: name, input: addressedInput(address.query, procedure) });
  if (!reply.ok) throw refusal(reply.error, endpoint);
  if (reply.file === undefined) throw nothingThere();
  const time = AbortSignal.timeout(terms.timeoutMs ?? readMs);
  const signal = terms.signal === undefined ? time : AbortSignal.any([terms.signal, time]);
  try {
    return { contents: [await readContents(reply.file, { uri, held, signal })] };
  } catch (cause) {
    if (time.aborted) throw refusal(late, endpoint);
    const defect = (id: string, error: unknown): void =>
      log("error", "a file could not be read to its end", { id, procedure: name, error });
    throw refusal(toWireError(cause, { procedure: name, repeatable: true, defect }), endpoint);
  }
};

const late: WireError = new FairleadError({
  code: "deadline_exceeded",
  message: "the file's bytes did not come in time",
  hint: "read it again; `fairlead call` with `--out` waits for as long as they come",
}).toJSON();

const refusal = (error: WireError, { words: own }: Endpoint): ProtocolError => {
  const words = inClientWords([error.message, ...(error.hint === undefined ? [] : [error.hint])].join("; "), own);
  return error.code === "not_found"
    ? nothingThere(words)
    : new ProtocolError(codes[error.code].jsonrpc, words, { [errorKey]: error });
};

interface LinkedFile {
  readonly entry: ToolEntry;
  readonly endpoint: Endpoint;
  /** Raw, as the call had it. */
  readonly input: unknown;
  readonly file: ByteSource;
  /** The client's protocol revision, where it is one of a session. */
  readonly revision: string | undefined;
}

/** Clients before this revision do not know links, and refuse an answer that has one. */
const linksSince = "2025-06-18";

const asFields = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** The answer of a download: its description with the address of its bytes and a link to them, or how to get them where they have none. */
export const linkedResult = (
  result: CallToolResult,
  { entry: { procedure: name }, endpoint, input, file, revision }: LinkedFile,
): CallToolResult => {
  const procedure = endpoint.procedure(name);
  if (procedure === undefined || result.isError === true) return result;
  const uri = fileUri(name, procedure, input);
  if (uri === undefined)
    return describedResult(result, { ...asFields(result.structuredContent), note: withoutUri(name) });
  const structuredContent = { ...asFields(result.structuredContent), url: uri };
  const link = {
    type: "resource_link",
    uri,
    name: file.name ?? name.slice(name.indexOf(".") + 1),
    mimeType: file.type,
    ...(file.size !== undefined && { size: file.size }),
  } as const;
  const described = describedResult(result, structuredContent);
  const isOld = revision !== undefined && revision < linksSince;
  return isOld ? described : { ...described, content: [...described.content, link] };
};

const describedResult = (result: CallToolResult, structuredContent: Record<string, unknown>): CallToolResult => ({
  ...result,
  structuredContent,
  content: [{ type: "text", text: JSON.stringify(structuredContent) }],
});

/** A model cannot post by itself, and what it would post may be secret. */
const withoutUri = (name: string): string =>
  `this input can be in no address of the file's bytes, since it is secret or long: a person gets them with \`fairlead call ${name} --data <the same input> --out <file>\``;
