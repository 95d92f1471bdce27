/** What the contract takes: fields that no procedure knows are refused with what was meant, at every depth. */
import { expect, test } from "vitest";
import { decoder } from "./core/index.ts";
import { pob } from "./pob.contract.ts";

const procedures = Object.entries(pob.procedures);

test.each(procedures)("%s refuses a field that it does not know", (_name, { input }) => {
  expect(decoder<never>(input)({ sesion: "mine" })).toMatchObject({
    ok: false,
    issues: expect.arrayContaining([expect.objectContaining({ path: "sesion", expected: "a known field" })]),
  });
});

test.each([
  ["luaGetStats", { feilds: ["Life"] }, { path: "feilds", fix: "did you mean fields?" }],
  ["luaGetTree", { sesion: "mine" }, { path: "sesion", fix: "did you mean session?" }],
  ["parseBuild", { source: { fille: "mine" } }, { path: "source.fille", fix: "did you mean file?" }],
  ["luaApply", { items: [{ slot: "Helmet", txt: "" }] }, { path: "items[0].txt", fix: "did you mean text?" }],
  ["luaCalcWith", { gems: [{ group: 1, gem: 1, levle: 2 }] }, { path: "gems[0].levle", fix: "did you mean level?" }],
] as const)("%s says what was meant", (name, input, issue) => {
  expect(decoder<never>(pob.procedures[name].input)(input)).toMatchObject({
    ok: false,
    issues: expect.arrayContaining([expect.objectContaining(issue)]),
  });
});

test.each(
  procedures.flatMap(([name, { input, examples }]) => (examples ?? []).map((one) => [name, one, input] as const)),
)("an example of %s decodes", (_name, example, input) => {
  expect(decoder<never>(input)(example.input)).toMatchObject({ ok: true });
});
