/** The OpenAPI document as others see it: an independent validator finds nothing wrong. `openapi-client.long.test.ts` calls what it describes. */
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, it } from "vitest";

const quiet = makeLog({ level: "error", write: () => {} });

let kernel: Kernel;
beforeAll(async () => {
  kernel = await openKernel({ env: {}, flags: { port: 0, lagMs: 60_000 }, log: quiet });
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
