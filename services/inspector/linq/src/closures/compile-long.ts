/**
 * The checked tree to closures that can pause: of the nodes that run long each becomes a generator, of all others a function. Where the budget of
 * a frame is spent, they give the thread back, and go on where they were.
 */
import type { BoundApply, BoundNode, BoundSequence } from "../bind/tree/bound.ts";
import { isLong } from "../bind/tree/long.ts";
import { type CompiledCode, type Frame, runCode } from "../core/frame.ts";
import { type Resumable, runToEnd } from "../core/resumable.ts";
import type { Lambda } from "../core/sequence-run.ts";
import { headStep, longOperationStep, memberStep, operationStep, sequenceStep } from "../core/step.ts";
import { typedListing } from "../operator/elements.ts";
import type { HostAccess } from "../type/host.ts";
import { rowClass } from "../value/row.ts";
import { compile } from "./compile.ts";

type LongRun = (frame: Frame) => Resumable<unknown>;

/** A checked tree as code: a function where it ends at once, a generator where it can pause. */
export const compileCode = (bound: BoundNode, host: HostAccess): CompiledCode =>
  isLong(bound) ? { isLong: true, run: compileLong(bound, host) } : { isLong: false, run: compile(bound, host) };

/** A function of the frame that runs to its end, whatever the tree is. */
export const compileToEnd = (bound: BoundNode, host: HostAccess): ((frame: Frame) => unknown) => {
  const code = compileCode(bound, host);
  return code.isLong ? (frame) => runToEnd(code.run(frame)) : code.run;
};

const compileLong = (bound: BoundNode, host: HostAccess): LongRun => {
  const code = (node: BoundNode): CompiledCode => compileCode(node, host);
  switch (bound.kind) {
    case "value":
    case "slot": {
      const run = compile(bound, host);
      return function* (frame) {
        return run(frame);
      };
    }
    case "read": {
      const owner = code(bound.object);
      const { read, path, at } = bound;
      const step = memberStep({ read, path, at });
      return function* (frame) {
        return step(yield* runCode(owner, frame));
      };
    }
    case "apply":
      return compileApply(bound, host);
    case "logic": {
      const items = bound.items.map(code);
      const ends = bound.operator === "||";
      return function* (frame) {
        for (const item of items) if (((yield* runCode(item, frame)) === true) === ends) return ends;
        return !ends;
      };
    }
    case "choose": {
      const [test, whenTrue, whenFalse] = [code(bound.test), code(bound.whenTrue), code(bound.whenFalse)];
      return function* (frame) {
        return yield* runCode((yield* runCode(test, frame)) === true ? whenTrue : whenFalse, frame);
      };
    }
    case "coalesce": {
      const [left, right] = [code(bound.left), code(bound.right)];
      return function* (frame) {
        return (yield* runCode(left, frame)) ?? (yield* runCode(right, frame));
      };
    }
    case "let": {
      const [value, rest] = [code(bound.object), code(bound.rest)];
      const { slot, lifted } = bound;
      return function* (frame) {
        const held = (yield* runCode(value, frame)) ?? null;
        if (lifted && held === null) return null;
        frame.slots[slot] = held;
        return yield* runCode(rest, frame);
      };
    }
    case "new": {
      const Made = rowClass(bound.names);
      const values = bound.values.map(code);
      return function* (frame) {
        return new Made(...(yield* runAll(values, frame)));
      };
    }
    case "sequence":
      return compileSequence(bound, host);
  }
};

const runAll = function* (codes: readonly CompiledCode[], frame: Frame): Resumable<readonly unknown[]> {
  const values: unknown[] = [];
  for (const code of codes) values.push(yield* runCode(code, frame));
  return values;
};

const compileApply = ({ operation, operands, path, at }: BoundApply, host: HostAccess): LongRun => {
  const codes = operands.map((operand) => compileCode(operand, host));
  if (operation.inSteps !== undefined) {
    const step = longOperationStep({ operation, path, at });
    return function* (frame) {
      return yield* step(frame, ...(yield* runAll(codes, frame)));
    };
  }
  const step = operationStep({ operation, path, at });
  return function* (frame) {
    return step(frame, ...(yield* runAll(codes, frame)));
  };
};

const compileSequence = (bound: BoundSequence, host: HostAccess): LongRun => {
  const { run, head, path, at } = bound;
  const place = { listingOf: typedListing(bound.source.type, host), path, at };
  const source = compileCode(bound.source, host);
  const values = bound.values.map((value) => compileCode(value, host));
  if (head !== undefined) {
    const step = headStep({ ...place, run: head });
    return function* (frame) {
      return step(frame, yield* runCode(source, frame), { lambdas: [], values: yield* runAll(values, frame) });
    };
  }
  const step = sequenceStep({ ...place, run });
  const bodies = bound.lambdas.map(({ slot, body }) => ({ slot, code: compileCode(body, host) }));
  return function* (frame) {
    const collection = yield* runCode(source, frame);
    const lambdas = bodies.map((body) => toLambda(body, frame));
    return yield* step(frame, collection, { lambdas, values: yield* runAll(values, frame) });
  };
};

const toLambda = ({ slot, code }: { readonly slot: number; readonly code: CompiledCode }, frame: Frame): Lambda => {
  if (code.isLong)
    return {
      isLong: true,
      run: (item) => {
        frame.slots[slot] = item;
        return code.run(frame);
      },
    };
  return {
    isLong: false,
    run: (item) => {
      frame.slots[slot] = item;
      return code.run(frame);
    },
  };
};
