/**
 * The checked tree to closures: every expression can run like this. Each node becomes one function of the frame; nothing is
 * looked up by name at run time. What runs long is compiled by `compile-long.ts` to functions that can pause.
 */

import type {
  BoundApply,
  BoundLet,
  BoundLogic,
  BoundNew,
  BoundNode,
  BoundRead,
  BoundSequence,
} from "../bind/tree/bound.ts";
import type { CompiledExpression } from "../core/frame.ts";
import { locateError } from "../core/place.ts";
import { headStep, memberStep, operationStep, shortSequenceStep } from "../core/step.ts";
import { typedListing } from "../operator/elements.ts";
import type { HostAccess } from "../type/host.ts";
import { rowClass } from "../value/row.ts";

/** A function of what ends at once. */
export const compile = (bound: BoundNode, host: HostAccess): CompiledExpression => {
  switch (bound.kind) {
    case "value": {
      const { value } = bound;
      return () => value;
    }
    case "slot": {
      const { slot } = bound;
      return (frame) => frame.slots[slot];
    }
    case "read":
      return compileRead(bound, host);
    case "apply":
      return compileApply(bound, host);
    case "logic":
      return compileLogic(bound, host);
    case "choose": {
      const test = compile(bound.test, host);
      const whenTrue = compile(bound.whenTrue, host);
      const whenFalse = compile(bound.whenFalse, host);
      return (frame) => (test(frame) === true ? whenTrue(frame) : whenFalse(frame));
    }
    case "coalesce": {
      const left = compile(bound.left, host);
      const right = compile(bound.right, host);
      return (frame) => left(frame) ?? right(frame);
    }
    case "let":
      return compileLet(bound, host);
    case "sequence":
      return compileSequence(bound, host);
    case "new":
      return compileNew(bound, host);
  }
};

const compileRead = (bound: BoundRead, host: HostAccess): CompiledExpression => {
  const owner = compile(bound.object, host);
  const { read, path, at } = bound;
  const step = memberStep({ read, path, at });
  return (frame) => step(owner(frame));
};

const compileApply = (bound: BoundApply, host: HostAccess): CompiledExpression => {
  const { operation, at, path } = bound;
  const { run, cost } = operation;
  const operands = bound.operands.map((operand) => compile(operand, host));
  const [first, second] = operands;
  if (cost === undefined && path === undefined && operands.length <= 2) {
    if (first === undefined) return (_) => attempt(run, at);
    if (second === undefined) return (frame) => attempt1(run, first(frame), at);
    return (frame) => {
      const a = first(frame);
      const b = second(frame);
      try {
        return run(a, b);
      } catch (error) {
        throw locateError(error, at);
      }
    };
  }
  const step = operationStep({ operation, path, at });
  return (frame) => step(frame, ...operands.map((operand) => operand(frame)));
};

type OperationRun = BoundApply["operation"]["run"];

const attempt = (run: OperationRun, at: number): unknown => {
  try {
    return run();
  } catch (error) {
    throw locateError(error, at);
  }
};

const attempt1 = (run: OperationRun, a: unknown, at: number): unknown => {
  try {
    return run(a);
  } catch (error) {
    throw locateError(error, at);
  }
};

const compileLogic = (bound: BoundLogic, host: HostAccess): CompiledExpression => {
  const items = bound.items.map((item) => compile(item, host));
  const ends = bound.operator === "||";
  const [first, second] = items;
  if (items.length === 2 && first !== undefined && second !== undefined)
    return ends
      ? (frame) => first(frame) === true || second(frame) === true
      : (frame) => first(frame) === true && second(frame) === true;
  return (frame) => {
    for (const item of items) if ((item(frame) === true) === ends) return ends;
    return !ends;
  };
};

const compileLet = ({ object, slot, rest, lifted }: BoundLet, host: HostAccess): CompiledExpression => {
  const value = compile(object, host);
  const then = compile(rest, host);
  return (frame) => {
    const held = value(frame) ?? null;
    if (lifted && held === null) return null;
    frame.slots[slot] = held;
    return then(frame);
  };
};

/** A sequence method that ends at once: a size, a first element, a test over a list that the text contains. */
const compileSequence = (bound: BoundSequence, host: HostAccess): CompiledExpression => {
  const { run, head, path, at } = bound;
  const listingOf = typedListing(bound.source.type, host);
  const source = compile(bound.source, host);
  const place = { listingOf, path, at };
  const step = head === undefined ? shortSequenceStep({ ...place, run }) : headStep({ ...place, run: head });
  const bodies = bound.lambdas.map(({ slot, body }) => ({ slot, code: compile(body, host) }));
  const values = bound.values.map((value) => compile(value, host));
  return (frame) =>
    step(frame, source(frame), {
      lambdas: bodies.map(({ slot, code }) => ({
        isLong: false,
        run: (item: unknown): unknown => {
          frame.slots[slot] = item;
          return code(frame);
        },
      })),
      values: values.map((value) => value(frame)),
    });
};

const compileNew = (bound: BoundNew, host: HostAccess): CompiledExpression => {
  const Made = rowClass(bound.names);
  const values = bound.values.map((value) => compile(value, host));
  return (frame) => new Made(...values.map((value) => value(frame)));
};
