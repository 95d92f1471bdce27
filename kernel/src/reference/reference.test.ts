import fc from "fast-check";
import { expect, it } from "vitest";
import { codeSamples, withCodeSamples } from "./code-samples.ts";
import { llmsText, serviceMarkdown } from "./markdown.ts";
import { listOperations } from "./operations.ts";

const item = { $ref: "#/components/schemas/Item" };
const media = (schema: object) => ({ content: { "application/json": { schema } } });
const response = (schema: object) => ({ description: "The output.", ...media(schema) });

const document = {
  info: { title: "Shop" },
  tags: [
    { name: "shop", description: "Sells <b>things</b>.\nAll day." },
    { name: "empty", description: "Has nothing." },
  ],
  paths: {
    "/api/shop/add": {
      post: {
        operationId: "shop.add",
        summary: "Adds an item.",
        description: "Once a key.",
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", properties: { item, note: { type: "string" } }, required: ["item"] },
              examples: { example1: { summary: "A lamp", value: { item: { name: "lamp" } } } },
            },
          },
        },
        responses: {
          "200": response({
            type: "object",
            properties: { items: { type: "array", items: item } },
            required: ["items"],
          }),
          "400": { description: "`sold_out`: there is none left." },
          "401": { $ref: "#/components/responses/Problem401" },
        },
        "x-fairlead": { kind: "mutation", retry: "keyed", access: "call", tool: "shop_add", deadlineMs: 5000 },
      },
    },
    "/api/shop/changes": {
      get: { operationId: "shop.changes_get", "x-fairlead": { procedure: "shop.changes" } },
      post: {
        operationId: "shop.changes",
        summary: "Streams changes.",
        requestBody: media({
          type: "object",
          properties: { after: { type: "integer", minimum: 1 } },
          required: ["after"],
        }),
        responses: { "200": { content: { "text/event-stream": { "x-event": { schema: item } } } } },
        "x-fairlead": { kind: "subscription", retry: "safe", access: "read" },
      },
    },
    "/api/shop/picture": {
      post: {
        operationId: "shop.picture",
        summary: "Gives a picture.",
        requestBody: media({ type: "object" }),
        responses: { "200": { content: { "image/png": {} } } },
        "x-fairlead": { kind: "query", retry: "safe", access: "read" },
      },
    },
    "/api/roll": { post: { operationId: "alias" } },
  },
  components: {
    schemas: {
      Item: {
        type: "object",
        description: "What is sold.",
        properties: { name: { type: "string", description: "Its name" }, price: { type: "number" } },
        required: ["name"],
      },
    },
  },
};

it("lists what is a procedure, with its methods and what its answers are", () => {
  const found = listOperations(document);
  expect(found.map(({ name, methods, hasFile }) => ({ name, methods, hasFile }))).toEqual([
    { name: "shop.add", methods: ["POST"], hasFile: false },
    { name: "shop.changes", methods: ["POST", "QUERY", "GET"], hasFile: false },
    { name: "shop.picture", methods: ["POST", "QUERY"], hasFile: true },
  ]);
  expect(found[0]?.problems).toEqual([{ status: "400", description: "`sold_out`: there is none left." }]);
});

it("explains a type that several places have once, and errors beside the procedure that has them", () => {
  const text = serviceMarkdown(document, "shop") ?? "";
  expect(text).toContain("Sells &lt;b>things&lt;/b>.");
  expect(text).toContain("- [shop.add](#shopadd): Adds an item.");
  expect(text).toContain("- `item` `Item`: What is sold.");
  expect(text).toContain("- `items` `Item[]`");
  expect(text).toContain("- Kind: mutation; a repeat is keyed; needs `call`\n- Deadline: 5000 ms");
  expect(text).toContain("- 400: `sold_out`: there is none left.");
  expect(text).not.toContain("401");
  expect(text).toContain('A lamp:\n\n```json\n{"item":{"name":"lamp"}}\n```');
  // Of the type, and of the events that are such.
  expect(text.match(/`name` `string`/g)).toHaveLength(2);
  expect(text.indexOf("## Types")).toBeGreaterThan(text.indexOf("## shop.picture"));
  expect(serviceMarkdown(document, "empty")).toBeUndefined();
});

it("says in llms.txt what each service is for, in one line", () => {
  const text = llmsText(document, { name: "Shop", pages: "/docs/" });
  expect(text).toContain("- [shop](/docs/shop.md): Sells &lt;b>things&lt;/b>. All day.\n");
  expect(text).not.toContain("empty");
  expect(llmsText(document, { name: "Shop", pages: "" })).toContain("(openapi.json)");
});

it("shows a call in every form that it has, none for a file, and the document is otherwise the same", () => {
  const options = { url: "http://127.0.0.1:5099", needsToken: false };
  const samples = listOperations(document).map((operation) => codeSamples(document, operation, options));
  expect(samples.map((each) => each.map(({ label }) => label))).toEqual([
    ["Command", "curl", "TypeScript", "Python", "MCP"],
    ["Command", "curl", "TypeScript", "Python"],
    [],
  ]);
  expect(samples[0]?.[0]?.source).toBe(`fairlead call shop.add -d '{"item":{"name":"lamp"}}'`);
  expect(samples[1]?.[1]?.source).toContain(`-d '{"after":1}'`);
  const shown = withCodeSamples(document, options);
  const without = JSON.parse(JSON.stringify(shown, (key, value) => (key === "x-codeSamples" ? undefined : value)));
  expect(without).toEqual(document);
});

it("writes nothing of a contract as HTML, and closes each fence that it opens", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (description, value) => {
      const hostile = structuredClone(document);
      hostile.tags = [{ name: "shop", description }];
      hostile.paths["/api/shop/add"].post.description = description;
      hostile.paths["/api/shop/add"].post.requestBody.content["application/json"].examples.example1.value = {
        item: { name: `\`\`\`\n<script>${value}` },
      };
      const text = serviceMarkdown(hostile, "shop") ?? "";
      const [, fence = "", body = ""] = /\n(`{3,})json\n(.*)\n\1\n/s.exec(text) ?? [];
      expect(JSON.parse(body)).toEqual({ item: { name: `\`\`\`\n<script>${value}` } });
      expect(body).not.toContain(fence);
      expect(text.replace(body, "")).not.toContain("<");
    }),
  );
});
