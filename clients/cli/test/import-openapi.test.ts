/** `fairlead import openapi` from words to files: documents as JSON and YAML, from the disk and from an address. */
import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { parseError } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { outsideProject } from "./outside-project.ts";

const document = {
  openapi: "3.1.0",
  info: { title: "The Bird API", version: "1" },
  servers: [{ url: "/v1" }],
  paths: { "/birds": { get: { operationId: "list birds", responses: { 204: { description: "None" } } } } },
};
const yaml = `openapi: 3.1.0
info: { title: The Bird API, version: "1" }
paths:
  /birds:
    get: { operationId: list birds, responses: { "204": { description: None } } }
`;

const project = outsideProject();
afterEach(() => project.remove());

test("a document of the disk or of an address becomes files, and what is none is refused", async () => {
  const run = (...args: readonly string[]) => runHere(["import", "openapi", ...args], { cwd: project.folder });
  project.write("birds.yaml", yaml);
  const read = await run("birds.yaml", "--json");
  expect({ ...read, out: JSON.parse(read.out) }).toMatchObject({
    code: 0,
    out: {
      written: ["contracts/thebird.contract.ts", "services/thebird/operations.ts", "services/thebird/service.ts"],
      procedures: 1,
      left: [],
    },
  });
  const server = createServer((_, response) => response.end(JSON.stringify(document)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/openapi.json`;
  const fetched = await run(url, "--as", "birds");
  expect(fetched).toMatchObject({ code: 0, out: expect.stringContaining("1 operation is a procedure") });
  server.close();
  server.closeAllConnections();
  project.write("broken.json", "{");
  for (const [source, words] of [
    ["broken.json", "is not JSON"],
    ["none.yaml", "cannot be read"],
    [url, "gives no answer"],
  ] as const) {
    const refused = await run(source);
    expect(refused.code).toBe(2);
    expect(parseError(refused)).toMatchObject({ message: expect.stringContaining(words) });
  }
  const again = await run("birds.yaml", "--as", "probe");
  expect(again.code).toBe(8);
});
