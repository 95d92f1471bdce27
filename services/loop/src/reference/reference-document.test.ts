import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { formatState } from "../state/state-document.ts";
import { sampleStateIn } from "../testing/sample.ts";
import { fillReference } from "./reference-document.ts";
import { stateFields } from "./state-fields.ts";

it("equals docs/reference.md, which `npm run docs` writes", () => {
  const document = readFileSync(new URL("../../docs/reference.md", import.meta.url), "utf8");
  expect(document).toBe(fillReference(document));
});

it("has every field of state.json, and no other one", () => {
  expect(Object.keys(stateFields).toSorted()).toEqual(Object.keys(formatState(sampleStateIn("QA"))).toSorted());
});
