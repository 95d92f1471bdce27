/** `Aggregate([seed,] (total, x) => …)`: the type of the total, and the two names of its lambda. */

import { aggregate } from "../../function/sequence/sequence.ts";
import type { LambdaNode } from "../../syntax/ast.ts";
import { type RecordType, type Type, typeName } from "../../type/type.ts";
import { convertImplicitly } from "../term/conversion.ts";
import { memberRead } from "../term/reading.ts";
import type { BoundLambda, BoundNode } from "../tree/bound.ts";
import { bindError, innerScope } from "../tree/context.ts";
import { between, type Method, result, type SequenceCall } from "./sequence-call.ts";

const usage = "[seed, ](total, x) => …";

export const aggregating: Method = (call) => {
  between(call, [1, 2], usage);
  const [lambda, given] = [...call.node.arguments].reverse();
  if (lambda?.kind !== "lambda" || lambda.parameters.length !== 2)
    throw bindError(
      "wrong_arguments",
      "A lambda here takes two parameters: the total so far, and an element",
      call.node,
      `${call.name}(${usage})`,
    );
  const seed = given === undefined ? undefined : call.context.bind(given, call.scope);
  const first = folding(call, lambda, seed?.type ?? call.item);
  const { body, total } =
    first.fitted === undefined && seed !== undefined
      ? wider(call, lambda, first.body)
      : { body: first.fitted, total: first.total };
  const start = seed === undefined ? undefined : convertImplicitly(seed, total, call.context);
  if (body === undefined || (seed !== undefined && start === undefined))
    throw bindError(
      "no_common_type",
      `The total is ${typeName(first.total)}, and the lambda makes ${typeName(first.body.body.type)} of it`,
      first.body.body,
      "convert one of them: `double(total)`",
    );
  return result(call, total, aggregate(seed !== undefined), {
    lambdas: [body],
    values: start === undefined ? [] : [start],
  });
};

interface Folding {
  readonly total: Type;
  readonly body: BoundLambda;
  /** The body as a total again; undefined where that is not implicit. */
  readonly fitted: BoundLambda | undefined;
}

/** The total has the type that the lambda makes of a narrower seed: `0` and a price are a price. */
const wider = (
  call: SequenceCall,
  lambda: LambdaNode,
  { body }: BoundLambda,
): { readonly body: BoundLambda | undefined; readonly total: Type } => {
  const { fitted, total } = folding(call, lambda, body.type);
  return { body: fitted, total };
};

/** The lambda bound to a total of a type. Both names are read from one pair, which is the element for the compilers. */
const folding = (call: SequenceCall, lambda: LambdaNode, total: Type): Folding => {
  const { context, scope, item, node } = call;
  const [totalName = "", elementName = ""] = lambda.parameters;
  const [slot, totalSlot, elementSlot] = [context.freshSlot(), context.freshSlot(), context.freshSlot()];
  const pair: RecordType = {
    kind: "record",
    fields: [
      { name: "total", type: total },
      { name: "element", type: item },
    ],
  };
  const element = { type: item, slot: elementSlot, usable: true };
  const inner = innerScope(scope, element, [elementName]);
  const names = new Map([...inner.names, [totalName, { type: total, slot: totalSlot, usable: true }]]);
  const body = context.bind(lambda.body, { ...inner, names });
  const read = (name: string): BoundNode => {
    const object: BoundNode = { kind: "slot", type: pair, slot, at: lambda.at };
    const found = memberRead(object, { name, at: lambda.at, path: call.path }, context);
    return found ?? object;
  };
  const withNames = (rest: BoundNode): BoundLambda => {
    const inside: BoundNode = {
      kind: "let",
      type: rest.type,
      object: read("element"),
      slot: elementSlot,
      rest,
      lifted: false,
      at: node.at,
    };
    return {
      slot,
      body: {
        kind: "let",
        type: rest.type,
        object: read("total"),
        slot: totalSlot,
        rest: inside,
        lifted: false,
        at: node.at,
      },
    };
  };
  const fitted = convertImplicitly(body, total, context);
  return { total, body: withNames(body), fitted: fitted === undefined ? undefined : withNames(fitted) };
};
