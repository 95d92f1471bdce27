import { expect, test } from "vitest";
import { LiveManifest, type Manifest, manifestVersion } from "./manifest.ts";

/** A manifest whose documents change each time they are read. */
const changing = (): Manifest => {
  let reads = 0;
  const read = async (): Promise<string> => `read ${++reads}`;
  return {
    version: manifestVersion,
    url: "file:///gen/manifest.ts",
    services: [{ id: "probe", module: "./probe.ts" }],
    tools: async () => [{ procedure: "probe.x", wrapped: false, tool: { name: await read() } }],
    openapi: read,
    verbs: read,
    schema: read,
    router: () => Promise.reject(new Error("none")),
  };
};

const served = async (live: Manifest) => [
  await live.openapi(),
  await live.verbs?.(),
  await live.schema("probe"),
  await live.schema("kernel"),
  (await live.tools()).map(({ tool }) => tool.name),
];

test("each document is served as it was first read, until all of them are replaced", async () => {
  const live = new LiveManifest(changing());
  await live.readAll();
  const first = await served(live);
  expect(new Set(first.flat()).size).toBe(5);
  expect(await served(live)).toEqual(first);
  live.replace(changing());
  const second = await served(live);
  expect(await served(live)).toEqual(second);
});

test("a document that cannot be read is tried again, and a name without a schema is not kept", async () => {
  let isThere = false;
  const openapi = async (): Promise<string> => {
    if (isThere) return "{}";
    throw new Error("not yet");
  };
  const live = new LiveManifest({ ...changing(), openapi });
  await live.readAll();
  isThere = true;
  expect(await live.openapi()).toBe("{}");
  expect(await live.schema("other")).not.toBe(await live.schema("other"));
});
