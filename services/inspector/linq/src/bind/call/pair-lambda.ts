/** Lambdas of two names: bound to one element that is a pair, from which both names are read. The compilers know lambdas of one element only. */
import type { Node } from "../../syntax/ast.ts";
import type { RecordType, Type } from "../../type/type.ts";
import { memberRead } from "../term/reading.ts";
import type { BoundLambda, BoundNode } from "../tree/bound.ts";
import type { Variable } from "../tree/context.ts";
import type { SequenceCall } from "./sequence-call.ts";

/** One side of the pair: its field, and what the lambda calls it. */
export interface PairSide {
  readonly field: string;
  readonly name: string;
  readonly type: Type;
  /** True where bare names mean its members. */
  readonly isIt?: true;
}

interface BoundPair {
  readonly body: BoundNode;
  /** The lambda of the pair, for the body or for what became of it. */
  readonly lambda: (body: BoundNode) => BoundLambda;
}

export const bindPair = (
  { context, scope, path }: SequenceCall,
  { body, at }: { readonly body: Node; readonly at: number },
  sides: readonly PairSide[],
): BoundPair => {
  const slot = context.freshSlot();
  const pair: RecordType = { kind: "record", fields: sides.map(({ field, type }) => ({ name: field, type })) };
  const variables = sides.map((side): PairSide & Variable => ({ ...side, slot: context.freshSlot(), usable: true }));
  const object: BoundNode = { kind: "slot", type: pair, slot, at };
  const read = (name: string): BoundNode => memberRead(object, { name, at, path }, context) ?? object;
  return {
    body: context.bind(body, {
      it: variables.find(({ isIt }) => isIt),
      names: new Map(variables.map((variable) => [variable.name, variable])),
      outer: scope,
    }),
    lambda: (found) => ({
      slot,
      body: variables.reduceRight<BoundNode>(
        (rest, side) => ({
          kind: "let",
          type: rest.type,
          object: read(side.field),
          slot: side.slot,
          rest,
          lifted: false,
          at,
        }),
        found,
      ),
    }),
  };
};
