import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { defineContract, query } from "@fairlead/contracts";
import { expect, it } from "vitest";
import * as z from "zod";
import { openKernel } from "../boot/kernel.ts";
import type { Manifest } from "../host/manifest.ts";
import { defineService } from "../service/service.ts";
import { makeLog } from "./log.ts";

const contract = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Answers.",
  procedures: {
    ask: query({ summary: "Gives the trace context to send onwards.", input: z.object({}), output: z.string() }),
    crash: query({ summary: "Throws.", input: z.object({}), output: z.string() }),
  },
});

const service = defineService(contract, () => ({
  handlers: {
    ask: (_, call) => call.traceparent,
    crash: () => {
      throw new Error("defect");
    },
  },
}));

const manifest: Manifest = {
  version: 1,
  url: import.meta.url,
  services: [],
  tools: async () => [],
  openapi: async () => "{}",
  schema: async () => undefined,
  router: async () => {
    throw new Error("not asked for");
  },
};

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

it("sends a span for each call, in the caller's trace, and costs no call when the collector is gone", async () => {
  const received: Span[] = [];
  const collector = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Traces;
      received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  const open = () =>
    openKernel({
      env: {},
      services: [service],
      manifest,
      log: makeLog({ level: "error", write: () => {} }),
      flags: { otlp: { url: `http://127.0.0.1:${port}` } },
    });
  const kernel = await open();
  const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
  const reply = await kernel.connect().call("probe.ask", {}, { trace });
  await kernel.connect().call("probe.crash", {});
  await kernel.close();
  collector.close();

  const asked = received.find(({ name }) => name === "probe.ask");
  expect(asked).toMatchObject({ traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" });
  expect(reply).toMatchObject({ ok: true, value: expect.stringContaining("0af7651916cd43dd8448eb211c80319c") });
  const crashed = received.find(({ name }) => name === "probe.crash");
  expect(crashed?.attributes).toContainEqual({ key: "error.type", value: { stringValue: "internal" } });

  const lonely = await open();
  expect(await lonely.connect().call("probe.ask", {})).toMatchObject({ ok: true });
  await lonely.close();
});
