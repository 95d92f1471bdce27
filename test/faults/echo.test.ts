import { mkdtempSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kernel, openKernel } from "@fairlead/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MarkedRequest, mark, markedRequests, openSession } from "./echo.ts";

let kernel: Kernel;
let port: number;
beforeAll(async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-echo-"));
  kernel = await openKernel({ flags: { port: 0, stateDir, lagMs: 60_000, only: ["rules"] }, env: {}, log: () => {} });
  ({ port } = await kernel.serve());
});
afterAll(() => kernel.close());

/** All that comes back, the heads too; with `fetch`, some of the headers could not be sent. */
const reply = ({ path, method = "GET", headers = {}, body }: MarkedRequest): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, headers: { ...headers }, agent: false };
    const sending = request(options, (response) => {
      let text = `${response.statusCode} ${JSON.stringify(response.headers)}`;
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve(text));
    });
    sending.on("error", reject).end(body);
  });

/** What the protocol itself has repeated. */
const isPrescribed = (text: string): boolean => /"requested":"QZMARKERQZ"/.test(text) && text.split(mark).length === 2;

test("no refusal repeats anything of its request, or is a dump of a schema", async () => {
  const requests = markedRequests(await openSession(`http://127.0.0.1:${port}`));
  expect(requests.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const marked of requests) {
    const text = await reply(marked);
    const isEcho = text.includes(mark) && !isPrescribed(text);
    if (isEcho || /invalid_type|"code": \\"/.test(text)) wrong.push(`${marked.place}: ${text}`);
  }
  expect(wrong).toEqual([]);
});
