/** Calls of methods that the host declared: of an instance, or of the class itself. */
import { type Operation, operation } from "../../core/operation.ts";
import { portable } from "../../core/portable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { valueCheck } from "../../operator/check.ts";
import type { CallNode } from "../../syntax/ast.ts";
import { findMethods, type HostAccess } from "../../type/host.ts";
import { type ClassDefinition, dynamic, type MethodDefinition, typeName } from "../../type/type.ts";
import { convertImplicitly } from "../term/conversion.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError } from "../tree/context.ts";
import { bindArguments, type CallSite } from "./overload.ts";

/** A method of an instance; undefined when its class declares none of the name. */
export const classMethod = (object: BoundNode, node: CallNode, here: CallSite): BoundNode | undefined => {
  if (object.type.kind !== "class") return undefined;
  const { definition } = object.type;
  return declaredCall({ definition, object, methods: findMethods(definition, node.name) }, node, here);
};

/** A static method of a class; undefined when it declares none of the name. */
export const staticMethodOfClass = (
  definition: ClassDefinition,
  node: CallNode,
  here: CallSite,
): BoundNode | undefined =>
  declaredCall({ definition, object: undefined, methods: findStaticMethods(definition, node.name) }, node, here);

const findStaticMethods = ({ staticMethods = [] }: ClassDefinition, name: string): readonly MethodDefinition[] => {
  const lower = name.toLowerCase();
  return staticMethods.filter((method) => method.name.toLowerCase() === lower);
};

interface DeclaredCall {
  readonly definition: ClassDefinition;
  readonly methods: readonly MethodDefinition[];
  /** Undefined for a static method. */
  readonly object: BoundNode | undefined;
}

const declaredCall = (
  { definition, methods, object }: DeclaredCall,
  node: CallNode,
  here: CallSite,
): BoundNode | undefined => {
  if (methods.length === 0) return undefined;
  const { context } = here;
  const types = node.types.map(({ name }) => name);
  const given = bindArguments(node, here);
  for (const [index, method] of methods.entries()) {
    if (method.typeParameters.length !== types.length) continue;
    const required = method.parameters.filter(({ optional }) => optional !== true).length;
    if (given.length < required || given.length > method.parameters.length) continue;
    const values = given.map((value, index) => {
      const parameter = method.parameters[index];
      return parameter === undefined ? undefined : convertImplicitly(value, parameter.type, context);
    });
    const fitting = values.filter((value) => value !== undefined);
    if (fitting.length < given.length) continue;
    const returns = method.returns(types);
    if (returns === undefined) {
      const [wrong] = node.types;
      throw bindError(
        "unknown_type",
        `Type '${types.join(", ")}' not found`,
        wrong ?? node,
        didYouMean(types[0] ?? "", context.host.typeNames()),
      );
    }
    return {
      kind: "apply",
      type: returns,
      operation: (object === undefined ? staticHostCall : hostCall)(
        definition,
        { name: node.name, index, types },
        context.host,
      ),
      operands: object === undefined ? fitting : [object, ...fitting],
      ...(object === undefined ? {} : { path: here.path }),
      at: node.at,
    };
  }
  const shapes = methods.map(
    ({ name, typeParameters, parameters }) =>
      `${name}${typeParameters.length > 0 ? `<${typeParameters.join(", ")}>` : ""}(${parameters.map((parameter) => `${typeName(parameter.type)} ${parameter.name}`).join(", ")})`,
  );
  throw bindError(
    "wrong_arguments",
    `No applicable method '${node.name}' exists in type '${definition.name}'`,
    node,
    shapes.join(", "),
  );
};

/** A declared method of a class, with what it gives checked. */
const hostCall = portable(
  "hostCall",
  (
    definition: ClassDefinition,
    { name, index, types }: { readonly name: string; readonly index: number; readonly types: readonly string[] },
    host: HostAccess,
  ): Operation => {
    const method = findMethods(definition, name)[index];
    const returns = method?.returns(types);
    const check = valueCheck(returns ?? dynamic, host);
    const run = (self: object, ...operands: readonly unknown[]): unknown => check(method?.call(self, types, operands));
    return { ...operation(name, run as never), cost: () => 16 };
  },
);

/** The same of a static method. */
const staticHostCall = portable(
  "staticHostCall",
  (
    definition: ClassDefinition,
    { name, index, types }: { readonly name: string; readonly index: number; readonly types: readonly string[] },
    host: HostAccess,
  ): Operation => {
    const method = findStaticMethods(definition, name)[index];
    const check = valueCheck(method?.returns(types) ?? dynamic, host);
    const run = (...operands: readonly unknown[]): unknown => check(method?.call(noInstance, types, operands));
    return { ...operation(name, run as never), cost: () => 16 };
  },
);

/** What a static method is called with in place of an instance. */
const noInstance: object = Object.freeze(Object.create(null));
