/** A call as other clients write it. Pure. Values go in as JSON, quoted for the language that they stand in. */

export interface SnippetCall {
  /** Full name, like `rules.resolveAttack`. */
  readonly procedure: string;
  readonly kind: "query" | "mutation" | "subscription";
  readonly input: unknown;
  /** The kernel's address. */
  readonly url: string;
}

/** Quoted for a POSIX shell. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const json = (value: unknown): string => JSON.stringify(value);

/** The call as a command of the terminal. */
export const callCommand = (procedure: string, input: unknown): string => {
  const data = json(input ?? {});
  return data === "{}" ? `fairlead call ${procedure}` : `fairlead call ${procedure} -d ${shellQuote(data)}`;
};

export const cliSnippet = ({ procedure, input }: SnippetCall): string => callCommand(procedure, input);

const curl = ({ procedure, kind, input, url }: SnippetCall): string =>
  [
    `curl ${kind === "subscription" ? "-N " : ""}-X POST ${url}/api/${procedure.replace(".", "/")}`,
    "  -H 'content-type: application/json'",
    ...(kind === "subscription" ? ["  -H 'accept: text/event-stream'"] : []),
    `  -d ${shellQuote(json(input ?? {}))}`,
  ].join(" \\\n");

const typescript = ({ procedure, kind, input, url }: SnippetCall): string => {
  const data = JSON.stringify(input ?? {}, undefined, 2);
  const call =
    kind === "subscription"
      ? `client.${procedure}.subscribe(${data}, { onData: ({ data }) => console.log(data) });`
      : `console.log(await client.${procedure}.${kind === "query" ? "query" : "mutate"}(${data}));`;
  return [
    'import type { AppRouter } from "@fairlead/client/app-router";',
    'import { links } from "@fairlead/client/trpc";',
    'import { createTRPCClient } from "@trpc/client";',
    "",
    `const client = createTRPCClient<AppRouter>({ links: links({ url: ${json(url)} }) });`,
    call,
  ].join("\n");
};

const python = ({ procedure, input, url }: SnippetCall): string =>
  [
    "import json, urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${json(`${url}/api/${procedure.replace(".", "/")}`)},`,
    `    data=json.dumps(json.loads(${json(json(input ?? {}))})).encode(),`,
    '    headers={"content-type": "application/json"},',
    ")",
    "print(json.load(urllib.request.urlopen(request)))",
  ].join("\n");

/** What an MCP client sends: the tool by its own name. */
export const mcpSnippet = (tool: string, input: unknown): string =>
  JSON.stringify(
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: input ?? {} } },
    undefined,
    2,
  );

/** By the name that a tab shows. */
export const snippets: Readonly<Record<string, (call: SnippetCall) => string>> = {
  Command: cliSnippet,
  curl,
  TypeScript: typescript,
  Python: python,
};
