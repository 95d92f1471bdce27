/** A call in Python: with the generated client, or with a procedure written in place where there is none. Pure. */
import { isRecord } from "../../call/record.ts";
import { type LiteralStyle, printLiteral } from "./literal.ts";
import type { PythonNames, SnippetCall } from "./snippet-call.ts";

const style: LiteralStyle = {
  null: "None",
  true: "True",
  false: "False",
  key: (name) => JSON.stringify(name),
  padding: "",
};

export const printPython = (call: SnippetCall): string => {
  const { url, needsToken, python, service } = call;
  const token = needsToken ? ', token=os.environ["FAIRLEAD_TOKEN"]' : "";
  return [
    ...(needsToken ? ["import os", ""] : []),
    "import fairlead",
    ...(python === undefined ? [] : [`from ${python.package}.${service} import ${python.class}`]),
    "",
    `client = fairlead.Client(${JSON.stringify(url)}${token})`,
    ...(python === undefined ? printPlain(call) : printGenerated(call, python)),
  ].join("\n");
};

const printGenerated = (
  { kind, input, idempotencyKey }: SnippetCall,
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
  return printUse(kind, `${className}(client)${options}.${method}(${args})`);
};

const printPlain = ({
  service,
  procedure,
  kind,
  path,
  retry,
  input,
  idempotencyKey,
}: SnippetCall): readonly string[] => {
  const words = [`${service}.${procedure}`, kind, path, retry].map((word) => JSON.stringify(word)).join(", ");
  const options =
    idempotencyKey === undefined ? "" : `, fairlead.CallOptions(idempotency_key=${JSON.stringify(idempotencyKey)})`;
  const method = kind === "subscription" ? "subscribe" : "call";
  return [
    `procedure = fairlead.Procedure(${words})`,
    ...printUse(kind, `client.${method}(procedure, ${printLiteral(input, style)}${options})`),
  ];
};

const printUse = (kind: SnippetCall["kind"], call: string): readonly string[] =>
  kind === "subscription"
    ? [`with ${call} as events:`, "    for event in events:", "        print(event)"]
    : [`print(${call})`];
