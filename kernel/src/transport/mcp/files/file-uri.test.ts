/** Which inputs of a download are in the address of its resource, and that no other is in the answer. */
import { download, secret } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import type { ToolEntry } from "../../../host/manifest.ts";
import type { Endpoint } from "../endpoint.ts";
import { linkedResult } from "../resources.ts";
import { addressedInput, fileTemplate, fileUri, parseFileUri } from "./file-uri.ts";

const input = z.object({
  as: z.string(),
  token: z.string().meta(secret).optional(),
  pin: z.int().meta(secret).optional(),
  parts: z.array(z.object({ key: z.string().meta(secret).optional() })).optional(),
});
const procedure = download({ summary: "Gives a file.", input });

test.each([
  ["scalars", { as: "a ü" }],
  ["what no query has", { as: "a", parts: [{}] }],
])("%s are in the address", (_, sent) => {
  const uri = fileUri("shelf.get", procedure, sent) ?? "";
  expect(addressedInput(parseFileUri(uri)?.query ?? "", procedure)).toEqual(sent);
});

test.each([
  ["a long input", { as: "ü".repeat(20_000) }],
  ["a long one that no query has", { as: "a", parts: Array.from({ length: 400 }, () => ({})) }],
  ["a secret", { as: "a", token: "very-secret-token" }],
  ["a secret number", { as: "a", pin: 90_210 }],
  ["a secret within", { as: "a", parts: [{ key: "pw-12" }] }],
])("%s is not, and the answer says how to get the bytes", (_, sent) => {
  expect(fileUri("shelf.get", procedure, sent)).toBeUndefined();
  const description = { type: "text/plain", size: 1 };
  const text = { type: "text", text: JSON.stringify(description) } as const;
  const answer = linkedResult(
    { structuredContent: description, content: [text] },
    {
      entry: { procedure: "shelf.get" } as ToolEntry,
      endpoint: { procedure: () => procedure } as unknown as Endpoint,
      input: sent,
      file: { type: "text/plain", size: 1, name: undefined, open: () => new Blob(["x"]).stream() },
      revision: undefined,
    },
  );
  const described = { ...description, note: expect.stringContaining("`fairlead call shelf.get --data") };
  expect(answer.structuredContent).toEqual(described);
  expect(answer.content).toEqual([{ type: "text", text: JSON.stringify(answer.structuredContent) }]);
});

test("a template has no secret field, and there is none where one is required", () => {
  expect(fileTemplate("shelf.get", procedure, ["as"])).toBe("fairlead://shelf/get{?as}");
  expect(fileTemplate("shelf.get", procedure, ["as", "pin"])).toBeUndefined();
  const listed = download({ summary: "Gives a file.", input: z.object({ of: z.array(z.string()), at: z.int() }) });
  expect(fileTemplate("shelf.get", listed, ["of"])).toBe("fairlead://shelf/get{?of*,at}");
  const hidden = z.object({ keys: z.array(z.string().meta(secret)) }).meta(secret);
  expect(fileTemplate("shelf.get", download({ summary: "Gives a file.", input: hidden }))).toBe("fairlead://shelf/get");
});
