/** A call in Python: with the generated client, or with a procedure written in place where there is none. Pure. */
import { isRecord } from "../../call/record.ts";
import { type LiteralStyle, printLiteral } from "./literal.ts";
import type { PythonNames, SnippetCall, SnippetFile } from "./snippet-call.ts";

const style: LiteralStyle = {
  null: "None",
  true: "True",
  false: "False",
  key: (name) => JSON.stringify(name),
  padding: "",
};

export const printPython = (call: SnippetCall): string => {
  const { url, needsToken, python, service, file } = call;
  const token = needsToken ? ', token=os.environ["FAIRLEAD_TOKEN"]' : "";
  return [
    ...(needsToken ? ["import os"] : []),
    ...(file?.way === "sent" ? ["from pathlib import Path"] : []),
    ...(needsToken || file?.way === "sent" ? [""] : []),
    "import fairlead",
    ...(python === undefined ? [] : [`from ${python.package}.${service} import ${python.class}`]),
    "",
    `client = fairlead.Client(${JSON.stringify(url)}${token})`,
    ...(python === undefined ? printPlain(call) : printGenerated(call, python)),
  ].join("\n");
};

const printGenerated = (
  { kind, input, idempotencyKey, file }: SnippetCall,
  { class: className, method, arguments: names }: PythonNames,
): readonly string[] => {
  const options =
    idempotencyKey === undefined ? "" : `.with_options(idempotency_key=${JSON.stringify(idempotencyKey)})`;
  const args =
    names === undefined || !isRecord(input)
      ? printLiteral(input, style)
      : Object.entries(input)
          .map(([field, value]) => `${names.get(field) ?? field}=${printLiteral(value, style)}`)
          .join(", ");
  const sent = file?.way === "sent" ? [printFile(file)] : [];
  const all = [...sent, args].filter((part) => part !== "").join(", ");
  return printUse(kind, `${className}(client)${options}.${method}(${all})`, file);
};

const printFile = ({ path, type }: SnippetFile): string =>
  `fairlead.File(Path(${JSON.stringify(path)})${type === undefined ? "" : `, type=${JSON.stringify(type)}`})`;

const printPlain = ({
  service,
  procedure,
  kind,
  path,
  retry,
  input,
  idempotencyKey,
  file,
}: SnippetCall): readonly string[] => {
  const words = [`${service}.${procedure}`, kind, path, retry].map((word) => JSON.stringify(word)).join(", ");
  const options =
    idempotencyKey === undefined ? "" : `, fairlead.CallOptions(idempotency_key=${JSON.stringify(idempotencyKey)})`;
  const method = file === undefined ? (kind === "subscription" ? "subscribe" : "call") : methods[file.way];
  const sent = file?.way === "sent" ? `, ${printFile(file)}` : "";
  const gives = file?.way === "got" ? ", gives_file=True" : "";
  return [
    `procedure = fairlead.Procedure(${words}${gives})`,
    ...printUse(kind, `client.${method}(procedure, ${printLiteral(input, style)}${sent}${options})`, file),
  ];
};

const methods = { sent: "upload", got: "download" } as const;

const printUse = (kind: SnippetCall["kind"], call: string, file?: SnippetFile): readonly string[] => {
  if (file?.way === "got") return [`${call}.save(${JSON.stringify(file.path)})`];
  return kind === "subscription"
    ? [`with ${call} as events:`, "    for event in events:", "        print(event)"]
    : [`print(${call})`];
};
