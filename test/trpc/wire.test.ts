/**
 * Requests as tRPC's HTTP specification and its table of errors have them, sent to tRPC's own server and to a kernel: status, content type, `Allow`, and
 * of each answer its value or its code, status, number and path. The table is part of `docs/trpc.md`, written by this test (`-u` writes it anew).
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createHTTPServer } from "@trpc/server/adapters/standalone";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningProject, startProject } from "../conformance/kernel.ts";
import { reference } from "./reference.ts";

let project: RunningProject;
let own: string;
const server = createHTTPServer({ router: reference, allowMethodOverride: true });
beforeAll(async () => {
  project = await startProject();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close().closeAllConnections();
  await project.kernel.close();
});

const query = (input: unknown): string => encodeURIComponent(JSON.stringify(input));
const send = (method: string, body?: string, type = "application/json"): RequestInit => ({
  method,
  ...(body !== undefined && { body, headers: { "content-type": type } }),
});
const good = query({ a: 1 });
const mixed = query({ 0: { a: 1 }, 1: { a: "x" } });

interface WireCase {
  readonly path: string;
  readonly init?: RequestInit;
  /** Why a kernel answers otherwise. */
  readonly differs?: string;
}

const noName = "no path: an unknown name is not repeated";
const cases: Readonly<Record<string, WireCase>> = {
  "GET of a query": { path: `probe.sum?input=${good}` },
  "GET of a query, its name encoded": { path: `probe%2Esum?input=${good}` },
  "POST of a query (method override)": { path: "probe.sum", init: send("POST", '{"a":1}') },
  "GET of a batch": { path: `probe.sum,probe.sum?batch=1&input=${query({ 0: { a: 1 }, 1: { a: 2 } })}` },
  "a batch, one input of which does not fit": { path: `probe.sum,probe.sum?batch=1&input=${mixed}` },
  "a batch without inputs": { path: "probe.sum,probe.sum?batch=1" },
  "a batch with an unknown procedure": { path: `probe.sum,probe.none?batch=1&input=${mixed}`, differs: noName },
  "POST of a mutation": { path: "probe.pay", init: send("POST", '{"amount":1}') },
  "POST with a charset": { path: "probe.pay", init: send("POST", '{"amount":1}', "application/json; charset=utf-8") },
  "POST without a body": {
    path: "probe.pay",
    init: { method: "POST", headers: { "content-type": "application/json" } },
  },
  "POST of half a body": { path: "probe.pay", init: send("POST", '{"amount":') },
  "POST of a text": {
    path: "probe.pay",
    init: send("POST", '{"amount":1}', "text/plain"),
    differs: "JSON, and with the path",
  },
  "POST of bytes": {
    path: "probe.pay",
    init: send("POST", "x", "application/octet-stream"),
    differs: "415: no input of a contract is a stream",
  },
  "GET of a mutation": { path: `probe.pay?input=${query({ amount: 1 })}` },
  "PUT of a mutation": { path: "probe.pay", init: send("PUT", '{"amount":1}') },
  "PATCH of a query": { path: "probe.sum", init: send("PATCH", '{"a":1}') },
  "DELETE of a mutation": { path: "probe.pay", init: send("DELETE"), differs: "405, with or without a content type" },
  HEAD: { path: `probe.sum?input=${good}`, init: send("HEAD") },
  "an input that is not JSON": { path: "probe.sum?input=%7Ba" },
  "an input of another type": { path: `probe.sum?input=${query([1])}` },
  "an unknown procedure": { path: "probe.none", differs: noName },
  "no procedure": { path: "", differs: noName },
  "a handler that throws": { path: `probe.crash?input=${query({})}` },
};

const readOne = (answer: unknown): unknown => {
  const { error, result } = Object(answer);
  if (error === undefined) return isCounted(result?.data) ? { amount: result.data.amount } : result;
  return { number: error.code, code: error.data.code, httpStatus: error.data.httpStatus, path: error.data.path };
};
/** The kernel's project counts what was paid, over all tests. */
const isCounted = (data: unknown): boolean => typeof data === "object" && data !== null && "count" in data;

const ask = async (url: string, { path, init = {} }: WireCase) => {
  const response = await fetch(`${url}/${path}`, init);
  const text = await response.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  const { headers, status } = response;
  const answer = Array.isArray(body) ? body.map(readOne) : body === undefined ? undefined : readOne(body);
  return { status, type: headers.get("content-type"), allow: headers.get("allow"), answer };
};

const rows = new Map<string, string>();
it.each(Object.entries(cases))("%s", async (name, each) => {
  const [reply, ours] = await Promise.all([ask(own, each), ask(`${project.url}/trpc`, each)]);
  rows.set(name, `| ${name} | ${reply.status} | ${ours.status} | ${each.differs ?? "same"} |`);
  if (each.differs === undefined) expect(ours).toEqual(reply);
  else expect(ours).not.toEqual(reply);
  expect(ours.status).toBeLessThan(600);
});

it("the table in docs/trpc.md says so", async () => {
  const path = fileURLToPath(new URL("../../docs/trpc.md", import.meta.url));
  const head = "| Request | tRPC's server | a kernel | |\n|---|---|---|---|";
  const table = [head, ...Object.keys(cases).map((name) => rows.get(name))].join("\n");
  const marked = /(<!-- on the wire -->\n)[\s\S]*?(<!-- end of the wire -->)/;
  const text = readFileSync(path, "utf8");
  await expect(text.replace(marked, (_, before, after) => `${before}${table}\n${after}`)).toMatchFileSnapshot(path);
});
