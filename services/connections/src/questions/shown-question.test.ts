/** A form is for a person to read, and a page for one to open. */
import { expect, it } from "vitest";
import { shownQuestion } from "./shown-question.ts";

const ask = (params: Readonly<Record<string, unknown>>) => shownQuestion({ method: "elicitation/create", params });

it("texts of a form are cleaned, what a program compares is left", () => {
  const field = { type: "string", title: "Na\u200Bme", description: "Your\u202E name", enum: ["a", "b"] };
  expect(
    ask({ mode: "form", message: "Who\u2066?", requestedSchema: { type: "object", properties: { n: field } } }),
  ).toEqual({
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "Who?",
      requestedSchema: {
        type: "object",
        properties: { n: { type: "string", title: "Name", description: "Your name", enum: ["a", "b"] } },
      },
    },
  });
});

it.each([
  ["hides something in a value", { message: "?", requestedSchema: { properties: { n: { enum: ["a\u200B"] } } } }],
  ["hides something in a name", { message: "?", requestedSchema: { properties: { "n\u202E": {} } } }],
  ["leads to a script", { mode: "url", message: "?", url: "javascript:alert(1)" }],
  ["leads to a file", { mode: "url", message: "?", url: "file:///etc/passwd" }],
  ["leads nowhere", { mode: "url", message: "?", url: 3 }],
])("one that %s is not shown", (_, params) => expect(ask(params)).toBeUndefined());

it("a page of the web may be opened, and a model is asked what the upstream asks", () => {
  expect(ask({ mode: "url", message: "?", url: "https://login.example/" })).toBeDefined();
  const question = { method: "sampling/createMessage" as const, params: { messages: ["👩‍🚀"] } };
  expect(shownQuestion(question)).toBe(question);
});
