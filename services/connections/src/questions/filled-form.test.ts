/** Defaults of a form: filled in where its sender left them out, and nowhere else. */
import type { Question } from "@fairlead/kernel/service";
import { expect, it } from "vitest";
import { applyDefaults } from "./filled-form.ts";

const properties = {
  name: { type: "string", default: "Ada" },
  sure: { type: "boolean", default: false },
  note: { type: "string" },
};
const form: Question = {
  method: "elicitation/create",
  params: { message: "Who?", requestedSchema: { type: "object", properties } },
};

it.each([
  ["all that is left out", { action: "accept", content: {} }, { name: "Ada", sure: false }],
  ["a form without content", { action: "accept" }, { name: "Ada", sure: false }],
  ["what is given", { action: "accept", content: { name: "", sure: true } }, { name: "", sure: true }],
])("takes the defaults for %s", (_, answer, content) => {
  expect(applyDefaults(form, answer)).toEqual({ action: "accept", content });
});

it.each([
  ["a form that was declined", form, { action: "decline" }],
  [
    "an address",
    { method: "elicitation/create", params: { mode: "url", url: "https://a.example" } },
    { action: "accept" },
  ],
  ["a model's answer", { method: "sampling/createMessage", params: {} }, { role: "assistant" }],
  ["nothing", form, undefined],
] as const)("passes %s on as it came", (_, question, answer) => {
  expect(applyDefaults(question, answer)).toBe(answer);
});
