/** Plain `fetch`, led by nothing but the OpenAPI document. */
import { isWireError } from "@fairlead/contracts";
import { broken, type OpenWire, type Outcome } from "./wire.ts";

export const openHttp: OpenWire = async ({ url, openapi }) => {
  const operations = new Map(
    Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId }]) =>
        operationId === undefined ? [] : [[operationId, { method: method.toUpperCase(), path }] as const],
      ),
    ),
  );
  const request = (
    procedure: string,
    input: unknown,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const { method, path } = operations.get(procedure) ?? {
      method: "POST",
      path: `/api/${procedure.replace(".", "/")}`,
    };
    const init = { method, headers, ...(signal !== undefined && { signal }) };
    if (method === "GET") return fetch(`${url}${path}${queryOf(input)}`, init);
    return fetch(`${url}${path}`, {
      ...init,
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
  };
  return {
    name: "HTTP",
    async call(procedure, input, options = {}) {
      const headers = {
        ...(options.timeoutMs !== undefined && { "fairlead-timeout-ms": String(options.timeoutMs) }),
        ...(options.idempotencyKey !== undefined && { "idempotency-key": options.idempotencyKey }),
      };
      try {
        return outcomeOf(await request(procedure, input, headers, options.signal));
      } catch (cause) {
        if (options.signal?.aborted === true)
          return { ok: false, error: { code: "canceled", message: "aborted here", retryable: false } };
        throw cause;
      }
    },
    async subscribe(procedure, input, take) {
      const controller = new AbortController();
      const response = await request(procedure, input, { accept: "text/event-stream" }, controller.signal);
      const found: unknown[] = [];
      let text = "";
      if (response.body === null) throw broken("HTTP", response.status);
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1];
          const isItem = !/^event: (?!message)/m.test(block);
          if (data !== undefined && isItem) found.push(JSON.parse(data));
        }
        if (found.length >= take) break;
      }
      controller.abort();
      return found.slice(0, take);
    },
    close: async () => {},
  };
};

const queryOf = (input: unknown): string => {
  const pairs = Object.entries(input ?? {}).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
};

const outcomeOf = async (response: Response): Promise<Outcome> => {
  const body: unknown = await response.json();
  if (response.ok) return { ok: true, value: body };
  if (response.headers.get("content-type") !== "application/problem+json" || !isWireError(body))
    throw broken("HTTP", body);
  const { type, title, status, detail, ...error } = body as typeof body &
    Record<"type" | "title" | "status" | "detail", unknown>;
  if (status !== response.status || detail !== error.message || typeof type !== "string" || typeof title !== "string")
    throw broken("HTTP", body);
  return { ok: false, error };
};
