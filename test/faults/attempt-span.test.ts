/** One span for each attempt to connect, of a real kernel with a real collector of spans. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel } from "@fairlead/kernel";
import connections from "@fairlead/service-connections";
import { expect, it, onTestFinished } from "vitest";

interface Span {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly events?: readonly { readonly name: string }[];
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

const collect = async () => {
  const spans: Span[] = [];
  const server = createServer(async (incoming, response) => {
    let text = "";
    for await (const piece of incoming.setEncoding("utf8")) text += piece;
    const { resourceSpans } = JSON.parse(text) as Traces;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/** As it is written down; it is not filled in. */
const variable = ["$", "{MARK:-x}"].join("");

it("says which connection it was, the steps, and how it ended", async () => {
  const { spans, url } = await collect();
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-spans-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const kernel = await openKernel({
    services: [connections],
    config: {
      otlp: { url },
      port: 0,
      stateDir,
      services: {
        connections: { upstreams: { gone: { command: `no-such-program-${variable}` } } },
      },
      log: { level: "error" },
    },
  });
  await expect
    .poll(() => kernel.connect().call("connections.status", { name: "gone" }))
    .toMatchObject({ value: { state: "blocked" } })
    .finally(() => kernel.close());
  const [span] = spans.filter(({ name }) => name === "connections.connect");
  const about = Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));
  expect(about).toMatchObject({
    "fairlead.connection": "gone",
    "fairlead.attempt": expect.anything(),
    "fairlead.reason": "missing_command",
  });
  expect(about["fairlead.endpoint"]).toContain(variable);
  expect(span?.events?.map(({ name }) => name)).toContain("start");
});
