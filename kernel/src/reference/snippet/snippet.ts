/**
 * One call as somebody else would write it: for a shell, in TypeScript, in Python, or as the message of an MCP client. Pure.
 *
 * Not here: where what is needed comes from (`collect.ts`).
 */
import { isRecord } from "../../call/record.ts";
import { printPython } from "./python.ts";
import type { SnippetCall, SnippetFile, SnippetForm } from "./snippet-call.ts";
import { printTypescript } from "./typescript.ts";

/** `undefined` for a procedure that cannot be called in that form: only MCP has some that it leaves out. */
export const printSnippet = (form: SnippetForm, call: SnippetCall): string | undefined => printers[form](call);

const inShell = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** As this project's own command, which finds the kernel that runs by itself. */
export const printCommand = ({ service, procedure, idempotencyKey, input, file }: SnippetCall): string => {
  const data = JSON.stringify(input);
  return [
    `fairlead call ${service}.${procedure}`,
    ...(data === "{}" ? [] : [`-d ${inShell(data)}`]),
    ...(idempotencyKey === undefined ? [] : [`--idempotency-key ${inShell(idempotencyKey)}`]),
    ...(file === undefined ? [] : [`${file.way === "sent" ? "--file" : "--out"} ${inShell(file.path)}`]),
  ].join(" ");
};

const printCurl = ({ url, path, kind, needsToken, idempotencyKey, input, file }: SnippetCall): string =>
  [
    `curl -s${kind === "subscription" ? "N" : ""}${file?.way === "got" ? "f" : ""} ${inShell(`${url}${path}`)}`,
    ...(file?.way === "sent" ? [] : ["-H 'content-type: application/json'"]),
    ...(needsToken ? ['-H "authorization: Bearer $FAIRLEAD_TOKEN"'] : []),
    ...(idempotencyKey === undefined ? [] : [`-H ${inShell(`idempotency-key: ${idempotencyKey}`)}`]),
    ...(file?.way === "sent" ? formFields(input, file) : [`-d ${inShell(JSON.stringify(input))}`]),
    ...(file?.way === "got" ? [`-o ${inShell(file.path)}`] : []),
  ].join(" ");

/** The two fields of a form with a file. Within quotation marks curl takes semicolons and the like as they are. */
const formFields = (input: unknown, { path, type }: SnippetFile): readonly string[] => [
  `-F ${inShell(`input=${inQuotes(JSON.stringify(input))};type=application/json`)}`,
  `-F ${inShell(`file=@${inQuotes(path)}${type === undefined ? "" : `;type=${type}`}`)}`,
];

const inQuotes = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** The message that a client sends to `/mcp` or to the stdio server once it is connected. */
const printMcp = ({ tool, input, idempotencyKey, file }: SnippetCall): string | undefined => {
  if (tool === undefined) return undefined;
  const sent =
    file?.way === "sent"
      ? { file: { path: file.absolutePath, ...(file.type !== undefined && { type: file.type }) } }
      : {};
  const meta = idempotencyKey === undefined ? {} : { _meta: { "fairlead/idempotencyKey": idempotencyKey } };
  const params = { name: tool, arguments: { ...(isRecord(input) ? input : {}), ...sent }, ...meta };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, undefined, 2);
};

const printers: Readonly<Record<SnippetForm, (call: SnippetCall) => string | undefined>> = {
  curl: printCurl,
  typescript: printTypescript,
  python: printPython,
  mcp: printMcp,
};
