/** The steps of an MCP client are the same for a seed, and what is wrong with the answers to them is seen. */
import { expect, it } from "vitest";
import { judgeAnswers, makeSteps, readAnswers } from "./mcp-messages.ts";
import { Random } from "./random.ts";

const steps = makeSteps(new Random(7), 40, "a_tool");
const awaited = steps.flatMap((step) => (step.kind === "request" && step.awaited ? [{ id: step.id }] : []));

it("makes the same steps of the same seed, and all kinds", () => {
  expect(makeSteps(new Random(7), 40, "a_tool")).toEqual(steps);
  expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(["request", "note", "noise"]));
  expect(awaited.length).toBeGreaterThan(3);
  expect(new Set(awaited.map(({ id }) => id)).size).toBe(awaited.length);
});

it("finds an answer that is missing, comes twice, has another id or is a fault of ours", () => {
  const [first] = awaited;
  expect(judgeAnswers(steps, awaited)).toEqual([]);
  expect(judgeAnswers(steps, awaited.slice(1))).toEqual([expect.stringMatching(/^0 answers to /)]);
  expect(judgeAnswers(steps, [...awaited, ...awaited.slice(0, 1)])).toEqual([expect.stringMatching(/^2 answers to /)]);
  expect(judgeAnswers(steps, [...awaited, { id: "stray" }])).toEqual([expect.stringContaining("to no request")]);
  const fault = { ...first, error: { code: -32603 } };
  expect(judgeAnswers(steps, [fault, ...awaited.slice(1)])).toEqual([expect.stringMatching(/^a fault: /)]);
});

it("reads answers out of messages and batches, and leaves out what is none", () => {
  const texts = ['{"id":1,"result":{}}', '{"method":"notifications/progress"}', '[{"id":2,"error":{"code":-32600}}]'];
  expect(readAnswers(texts).map(({ id }) => id)).toEqual([1, 2]);
});
