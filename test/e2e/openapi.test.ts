/** The OpenAPI document as others see it: an independent validator finds nothing wrong. `openapi-client.long.test.ts` calls what it describes. */
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, it } from "vitest";

const quiet = makeLog({ level: "error", write: () => {} });

let kernel: Kernel;
let url: string;
beforeAll(async () => {
  kernel = await openKernel({ env: {}, flags: { port: 0, lagMs: 60_000 }, log: quiet });
  ({ http: url } = await kernel.serve());
});
afterAll(() => kernel.close());

it("an independent validator accepts the document", async () => {
  const document = JSON.parse(await kernel.manifest.openapi()) as Record<string, unknown>;
  const { valid, errors } = await new Validator().validate(document);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

it("names every procedure of the catalog once, with its errors", async () => {
  const document = JSON.parse(await kernel.manifest.openapi()) as {
    readonly paths: Record<
      string,
      Record<string, { readonly operationId: string; readonly responses: Record<string, unknown> }>
    >;
  };
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const names = kernel.catalog.all().map(({ name }) => name);
  const named = operations.map(({ operationId }) => operationId).filter((id) => !id.endsWith("_get"));
  expect(named.toSorted()).toEqual(names.toSorted());
  for (const { responses } of operations)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "400"]));
});

/** The document over HTTP, as it was sent. */
const fetchRaw = async (headers: Readonly<Record<string, string>>) => {
  const { port } = new URL(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: "/openapi.json", headers }, resolve).on("error", reject);
  });
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
};

it("is sent without indentation, in the coding that a client takes, with a tag for each", async () => {
  const plain = await fetchRaw({});
  const whole = plain.bytes.toString("utf8");
  expect(whole === JSON.stringify(JSON.parse(whole))).toBe(true);
  const [br, zipped] = [
    await fetchRaw({ "accept-encoding": "gzip, br" }),
    await fetchRaw({ "accept-encoding": "gzip, br;q=0" }),
  ];
  expect([br.headers["content-encoding"], zipped.headers["content-encoding"]]).toEqual(["br", "gzip"]);
  expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
  expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
  expect(br.bytes.byteLength).toBeLessThan(whole.length / 8);
  expect(new Set([plain, br, zipped].map(({ headers }) => headers.etag)).size).toBe(3);
  for (const { headers } of [plain, br, zipped]) expect(headers.vary).toBe("accept-encoding");
  const again = { "accept-encoding": "br", "if-none-match": br.headers.etag ?? "" };
  expect(await fetchRaw(again)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
});
