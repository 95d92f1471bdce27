/** `Aggregate([seed,] (total, x) => …)`: the type of the total, and the two names of its lambda. */

import { aggregate } from "../../function/sequence/sequence.ts";
import type { LambdaNode } from "../../syntax/ast.ts";
import { type Type, typeName } from "../../type/type.ts";
import { convertImplicitly } from "../term/conversion.ts";
import type { BoundLambda } from "../tree/bound.ts";
import { bindError } from "../tree/context.ts";
import { bindPair } from "./pair-lambda.ts";
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
      call.node,
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

/** The lambda bound to a total of a type. */
const folding = (call: SequenceCall, lambda: LambdaNode, total: Type): Folding => {
  const [totalName = "", elementName = ""] = lambda.parameters;
  const pair = bindPair(call, lambda, [
    { field: "total", name: totalName, type: total },
    { field: "element", name: elementName, type: call.item, isIt: true },
  ]);
  const fitted = convertImplicitly(pair.body, total, call.context);
  return { total, body: pair.lambda(pair.body), fitted: fitted === undefined ? undefined : pair.lambda(fitted) };
};
