import { expect, test } from "vitest";
import { defRef, type JsonSchema } from "../schema/json-schema.ts";
import { sharing } from "./sharing.ts";

const leaf = (type: string): JsonSchema => ({ type });
const box: JsonSchema = { type: "object", properties: { leaf: { $ref: defRef("Leaf") } } };

test("definitions that say the same, with all they refer to, get one name", () => {
  const share = sharing();
  const first = share({ Box: box, Leaf: leaf("string") }, (local) => `first.${local}`);
  expect([...first.names]).toEqual([
    ["Box", "first.Box"],
    ["Leaf", "first.Leaf"],
  ]);
  const again = share({ Leaf: leaf("string"), Box: box }, (local) => `again.${local}`);
  expect(Object.fromEntries(again.names)).toEqual({ Box: "first.Box", Leaf: "first.Leaf" });
  expect(again.fresh).toEqual([]);
});

test("the same words about another leaf are another definition", () => {
  const share = sharing();
  share({ Box: box, Leaf: leaf("string") }, (local) => `first.${local}`);
  const other = share({ Box: box, Leaf: leaf("integer") }, (local) => `other.${local}`);
  expect(Object.fromEntries(other.names)).toEqual({ Box: "other.Box", Leaf: "other.Leaf" });
  expect(other.fresh.map(([name]) => name)).toEqual(["other.Box", "other.Leaf"]);
});

test("a definition that refers to itself ends", () => {
  const share = sharing();
  const tree = { Tree: { items: { $ref: defRef("Tree") } } };
  share(tree, (local) => `first.${local}`);
  expect(share(tree, (local) => `again.${local}`).names.get("Tree")).toBe("first.Tree");
});
