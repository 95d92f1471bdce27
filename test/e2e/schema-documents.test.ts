/** The shipped JSON Schema documents, whole, by part and as tools: an independent validator compiles each in its strict mode. */
import { makeLog, openKernel } from "@fairlead/kernel";
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PublishedDocuments, publishedDocuments } from "./published-documents.ts";

/** To compile a schema takes long; the quick tier does it with every twelfth. */
const isTried = (at: number): boolean => process.env.TESTS_TIER === "long" || at % 24 === 0;

const kernel = await openKernel({
  env: {},
  flags: { port: 0, lagMs: 60_000 },
  log: makeLog({ level: "error", write: () => {} }),
});
let published: PublishedDocuments;
beforeAll(async () => {
  published = await publishedDocuments(kernel);
});
afterAll(() => kernel.close());

/** Compiles each schema by itself: what it calls itself is forgotten, so that no other can refer to it. */
const makeCompile = (options: Options): ((schema: object) => void) => {
  const ajv = new Ajv2020({ strict: true, ...options });
  formats.default(ajv);
  return (schema) => {
    ajv.compile(schema);
    ajv.removeSchema(schema);
  };
};

const compileDocument = makeCompile({});

/** A tool list writes a union of types as a list of them, which is plain JSON Schema and which the strict mode wants to be asked for. */
const compileToolSchema = makeCompile({ allowUnionTypes: true });

describe("every document", () => {
  it("is strict JSON Schema 2020-12 with an id of its own", () => {
    for (const [at, { name, schema }] of published.documents.entries()) {
      expect(schema, name).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $id: expect.stringMatching(/^urn:fairlead:schema:/),
      });
      if (isTried(at)) expect(() => compileDocument(schema), name).not.toThrow();
    }
    const ids = published.documents.map(({ schema }) => schema.$id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has a root that leads to all of its definitions", () => {
    for (const { name, schema } of published.documents) {
      const { $defs = {}, ...root } = schema;
      const reached = new Set<string>();
      const follow = (part: unknown): void => {
        for (const [, ref = ""] of JSON.stringify(part).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
          if (reached.has(ref)) continue;
          reached.add(ref);
          follow($defs[ref]);
        }
      };
      follow(root);
      expect([...reached].toSorted(), name).toEqual(Object.keys($defs).toSorted());
    }
  });
});

it("every tool has strict schemas", () => {
  expect(published.tools.length).toBeGreaterThan(40);
  for (const [at, { name, schemas }] of published.tools.entries()) {
    expect(schemas, name).toHaveLength(2);
    if (!isTried(at)) continue;
    for (const schema of schemas) expect(() => compileToolSchema(schema), name).not.toThrow();
  }
});
