/**
 * The connections service as the client under test of the public conformance suite: connects to the address it is given, lists the
 * tools and calls each as the scenario says. `node conformance-driver.ts <url>`.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import connections from "@fairlead/service-connections";

const url = process.argv.at(-1) ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}") as {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments?: unknown }[];
  /** As which the scenario's authorization server knows us already. */
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly issuer?: string;
};
const registered = context.client_id !== undefined && context.issuer !== undefined;
const oauth = {
  // The suite's own name for the metadata of the client under test.
  metadataUrl: "https://conformance-test.local/client-metadata.json",
  ...(registered && { clientId: context.client_id, clientSecret: `$\{SECRET}`, issuer: context.issuer }),
};
const kernel = openMemoryKernel([connections], {
  stateDir: mkdtempSync(join(tmpdir(), "fairlead-conformance-")),
  config: { connections: { upstreams: { up: { url, oauth } } } },
  env: { SECRET: context.client_secret },
});
const ask = async (procedure: string, input: unknown): Promise<unknown> => {
  const reply = await kernel.call(`connections.${procedure}`, input, {
    ask: async () => ({ action: "accept", content: {} }),
  });
  return reply.ok ? reply.value : reply.error;
};

const settled = async (): Promise<string> => {
  for (let tries = 0; tries < 400; tries += 1) {
    const { state } = (await ask("status", { name: "up" })) as { readonly state: string };
    if (state === "connected" || state === "blocked") return state;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return "";
};

/** A browser that agrees to everything. */
const logIn = async (): Promise<void> => {
  const redirectUrl = "http://127.0.0.1:3000/callback";
  const begun = (await ask("beginLogin", { name: "up", redirectUrl })) as { readonly authorizationUrl?: string };
  if (begun.authorizationUrl === undefined) return;
  const sentBack = await fetch(begun.authorizationUrl, { redirect: "manual" });
  const query = new URL(sentBack.headers.get("location") ?? redirectUrl).search.slice(1);
  await ask("finishLogin", { name: "up", query });
};

/** Logs in for as long as that is what is wanted; a server may want it more than once. */
const connect = async (): Promise<void> => {
  for (let logins = 0; logins < 3 && (await settled()) === "blocked"; logins += 1) await logIn();
};

/** A call; a user who is told that the login gave too little logs in again, and calls again. */
const callAsUser = async (name: string, input: unknown): Promise<void> => {
  const answer = (await ask(name, input)) as { readonly reason?: string } | null;
  if (answer?.reason !== "insufficient_scope") return;
  await logIn();
  await connect();
  await ask(name, input);
};

await connect();
const { tools } = (await ask("tools", {})) as {
  readonly tools: readonly { readonly name: string; readonly upstreamName: string; readonly inputSchema: object }[];
};
for (const { name, upstreamName, inputSchema } of tools) {
  const planned = context.toolCalls?.filter((each) => each.name === upstreamName);
  for (const { arguments: input } of planned ?? [{ arguments: sampleOf(inputSchema) }])
    await callAsUser(name, input ?? {});
}
await kernel.close();

/** Arguments that fit, for schemas as plain as the suite's. An object is the schema of the first tool: one scenario wants it back. */
function sampleOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, { readonly type?: string }>> };
  const object = tools[0]?.inputSchema;
  const values: Readonly<Record<string, unknown>> = { number: 5, integer: 3, boolean: true, string: "text", object };
  return Object.fromEntries(
    Object.entries(properties).map(([key, { type = "string" }]) => [key, values[type] ?? null]),
  );
}
