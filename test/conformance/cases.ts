/**
 * What every wire must do alike: the examples of the contract, and a case for each way a call can fail. A case is data; `expect`
 * says what must come back on every wire.
 */
import type { Contract } from "@fairlead/contracts";
import { probe } from "./project/contracts/probe.contract.ts";
import type { CallOptions } from "./wire.ts";

export interface Case {
  readonly name: string;
  readonly procedure: string;
  readonly input: unknown;
  readonly options?: CallOptions;
  /** What the error must hold; the answer must be the same on every wire in any case. */
  readonly error?: Readonly<Record<string, unknown>>;
}

const examples = (contract: Contract): readonly Case[] =>
  Object.entries(contract.procedures).flatMap(([name, { kind, examples: given = [] }]) =>
    kind === "subscription"
      ? []
      : given.map(({ summary, input }) => ({
          name: `${name}: ${summary}`,
          procedure: `${contract.id}.${name}`,
          input,
        })),
  );

/** An input that is nested so many levels deep. */
const chain = (depth: number): unknown =>
  Array.from({ length: depth - 1 }).reduce<unknown>((next) => ({ value: 1, next }), { value: 1 });

/** An input of `probe.small` whose JSON text has so many bytes. */
const smallOf = (bytes: number): unknown => ({ text: "x".repeat(bytes - '{"text":""}'.length) });

export const cases: readonly Case[] = [
  ...examples(probe),
  {
    name: "a wrong field",
    procedure: "probe.sum",
    input: { a: "one" },
    error: { code: "invalid_argument", issues: [{ path: "a", expected: "a number", fix: "give `a` a number" }] },
  },
  {
    name: "a missing field",
    procedure: "probe.sum",
    input: {},
    error: { code: "invalid_argument", issues: [{ path: "a" }] },
  },
  {
    name: "a wrong field, deep down",
    procedure: "probe.echo",
    input: { text: "", chain: { value: 1, next: { value: "x" } } },
    error: { code: "invalid_argument", issues: [{ path: "chain.next.value" }] },
  },
  {
    name: "a member called __proto__, deep down",
    procedure: "probe.echo",
    input: JSON.parse(
      '{ "text": "", "chain": { "value": 1, "next": { "value": 2, "__proto__": { "polluted": true } } } }',
    ),
    error: {
      code: "invalid_argument",
      message: "an object in the input has a member called `__proto__`",
      issues: [{ path: "chain.next.__proto__" }],
    },
  },
  {
    name: "a wrong field in Zod 3",
    procedure: "probe.elder",
    input: { name: 5 },
    error: { code: "invalid_argument", issues: [{ path: "name" }] },
  },
  {
    name: "a declared error",
    procedure: "probe.sum",
    input: { a: 999, b: 2 },
    error: {
      code: "out_of_range",
      reason: "too_big",
      data: { limit: 1_000 },
      hint: "use smaller numbers",
      retryable: false,
    },
  },
  { name: "a defect", procedure: "probe.crash", input: {}, error: { code: "internal", retryable: false } },
  { name: "a procedure that is switched off", procedure: "probe.off", input: {}, error: {} },
  { name: "at its limit", procedure: "probe.small", input: smallOf(64) },
  {
    name: "a byte over its limit",
    procedure: "probe.small",
    input: smallOf(65),
    error: { code: "resource_exhausted" },
  },
  {
    name: "more than the common limit where allowed",
    procedure: "probe.large",
    input: { text: "x".repeat(1_500_000) },
  },
  { name: "a chain as deep as allowed", procedure: "probe.echo", input: { text: "", chain: chain(60) } },
  {
    name: "too deep",
    procedure: "probe.echo",
    input: { text: "", chain: chain(70) },
    error: { code: "invalid_argument" },
  },
  {
    name: "past its deadline",
    procedure: "probe.hang",
    input: {},
    error: { code: "deadline_exceeded", retryable: true },
  },
  {
    name: "past the caller's deadline",
    procedure: "probe.wait",
    input: { name: "deadline" },
    options: { timeoutMs: 50 },
    error: { code: "deadline_exceeded" },
  },
];
