/**
 * Messages of one MCP client of the session era, from a seed: requests whose ids repeat, cancellations that race with their request, answers to no request, a second
 * `initialize`, and what is not a message at all. Pure. Not here: sending them (`mcp-sessions.ts`, `mcp-stdio.ts`).
 */
import type { Random } from "./random.ts";

/** One step of a client. */
export type McpStep =
  /** A request; `awaited`: nothing else has its id and nothing cancels it, so it has one answer. */
  | { readonly kind: "request"; readonly id: number | string; readonly message: object; readonly awaited: boolean }
  /** A notification, or an answer: it has none. */
  | { readonly kind: "note"; readonly message: object }
  /** What is not a message of the protocol. */
  | { readonly kind: "noise"; readonly text: string };

export const initialize = (id: number): object => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "fairlead-selftest", version: "1" },
  },
});

const noise: readonly [string, ...string[]] = [
  "",
  "{",
  "null",
  "[]",
  '[{"jsonrpc":"2.0","id":"batch","method":"ping"}]',
  '{"jsonrpc":"1.0","id":"old","method":"ping"}',
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  '{"jsonrpc":"2.0","method":7}',
  '{"jsonrpc":"2.0","id":"\\ud800","method":"\\u0000"}',
  `${"[".repeat(5_000)}`,
  `{"jsonrpc":"2.0","id":"wide","method":"${"x".repeat(100_000)}"}`,
];

const methods: readonly [string, ...string[]] = ["ping", "tools/list", "tools/call", "resources/list", "no/method"];

const note = (method: string, params: object = {}): McpStep => ({
  kind: "note",
  message: { jsonrpc: "2.0", method, params },
});

/** The steps of this seed, `count` at least. `tool` changes nothing and takes no arguments. */
export const makeSteps = (random: Random, count: number, tool: string): readonly McpStep[] => {
  const steps: McpStep[] = [];
  const request = (id: number | string, awaited: boolean): McpStep => {
    const method = random.pick(methods);
    const params = method === "tools/call" ? { name: random.pick([tool, "no_tool"]), arguments: {} } : {};
    return { kind: "request", id, awaited, message: { jsonrpc: "2.0", id, method, params } };
  };
  while (steps.length < count) {
    const at = steps.length;
    const id = random.below(2) === 0 ? 1_000 + at : `own-${at}`;
    switch (random.below(8)) {
      case 0:
        steps.push(request(id, false), note("notifications/cancelled", { requestId: id, reason: "the self-test" }));
        break;
      case 1:
        steps.push(note("notifications/cancelled", { requestId: random.pick<unknown>([77, "none", null, {}]) }));
        break;
      case 2:
        // Two at once with one id.
        steps.push(request("twin", false), request("twin", false));
        break;
      case 3:
        steps.push({ kind: "note", message: { jsonrpc: "2.0", id: random.pick<unknown>([1, "a"]), result: {} } });
        break;
      case 4:
        steps.push({ kind: "noise", text: random.pick(noise) });
        break;
      case 5:
        steps.push({ kind: "request", id, awaited: false, message: { ...initialize(0), id } });
        break;
      default:
        steps.push(request(id, true));
    }
  }
  return steps;
};

/** What is wrong with the answers to these steps: one that is missing or doubled, one to no request, a fault of ours. */
export const judgeAnswers = (steps: readonly McpStep[], answers: readonly McpAnswer[]): readonly string[] => {
  const counts = new Map<unknown, number>();
  for (const { id } of answers) counts.set(id, (counts.get(id) ?? 0) + 1);
  const requests = steps.filter((step) => step.kind === "request");
  const known = new Set<unknown>([
    null,
    undefined,
    "batch",
    "old",
    "wide",
    "\ud800",
    "\ufffd",
    ...requests.map(({ id }) => id),
  ]);
  return [
    ...requests.flatMap(({ id, awaited, message }) =>
      awaited && counts.get(id) !== 1 ? [`${counts.get(id) ?? 0} answers to ${JSON.stringify(message)}`] : [],
    ),
    ...answers.filter(({ id }) => !known.has(id)).map((answer) => `an answer to no request: ${JSON.stringify(answer)}`),
    ...answers.filter(({ error }) => error?.code === -32603).map((answer) => `a fault: ${JSON.stringify(answer)}`),
  ];
};

interface McpAnswer {
  readonly id?: unknown;
  readonly error?: { readonly code: number };
}

/** The answers in what a server sent: messages without a method. */
export const readAnswers = (texts: readonly string[]): readonly McpAnswer[] =>
  texts.flatMap((text) => {
    const value: unknown = JSON.parse(text);
    const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
    return messages.filter(
      (message): message is McpAnswer => typeof message === "object" && message !== null && !("method" in message),
    );
  });
