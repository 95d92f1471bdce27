import { makeLog } from "@fairlead/kernel";
import { type Handler, handler } from "@fairlead/kernel/handler";
import { afterAll, beforeAll, expect, test } from "vitest";
// @boundaries-ignore the examples are what is tested
import { type LambdaEvent, onLambda } from "../../examples/app/lambda.ts";
import manifest from "./project/gen/manifest.ts";
import probe from "./project/services/probe.service.ts";

const host = "x.lambda-url.eu-west-1.on.aws";
let answer: Handler;
beforeAll(() => {
  const config = { hosts: [host] };
  answer = handler(manifest, [probe], {
    anyone: true,
    env: {},
    config,
    log: makeLog({ level: "error", write: () => {} }),
  });
});
afterAll(() => answer.close());

const call = async (method: string, rawPath: string, more: Partial<LambdaEvent> = {}) => {
  const requestContext = { domainName: host, http: { method } };
  const result = await onLambda(answer)({ rawPath, rawQueryString: "", headers: { host }, requestContext, ...more });
  return { ...result, body: Buffer.from(result.body, "base64").toString() };
};

test("an event becomes a request, and the answer a result", async () => {
  expect(await call("GET", "/api/probe/sum", { rawQueryString: "a=1&b=2" })).toMatchObject({
    statusCode: 200,
    headers: { "content-type": "application/json" },
    body: "3",
  });
  const headers = { host, "content-type": "application/json" };
  const text = '{"a":1,"b":41}';
  expect(await call("POST", "/api/probe/sum", { headers, body: text })).toMatchObject({ body: "42" });
  const body = Buffer.from(text).toString("base64");
  expect(await call("POST", "/api/probe/sum", { headers, body, isBase64Encoded: true })).toMatchObject({ body: "42" });
  expect(await call("GET", "/api/probe/sum", { headers: { host: "evil.example.com" } })).toMatchObject({
    statusCode: 403,
  });
});

test("no event makes it throw: a body with GET or HEAD is left out, other methods are refused", async () => {
  for (const body of ["", "{}"]) {
    expect(await call("GET", "/api/probe/sum", { rawQueryString: "a=1&b=2", body })).toMatchObject({
      statusCode: 200,
      body: "3",
    });
    expect(await call("HEAD", "/api/probe/sum", { rawQueryString: "a=1&b=2", body })).toMatchObject({ body: "" });
  }
  for (const method of ["TRACE", "CONNECT"]) expect(await call(method, "/livez")).toMatchObject({ statusCode: 405 });
});
