/**
 * Which nodes run long: those with a sequence method over a collection, or an operation over its elements, somewhere in them. They can pause;
 * all others end within what a text of 4 KB can say, and run at once.
 */
import { newArray } from "../../operator/new-array.ts";
import { Sequence } from "../../value/sequence.ts";
import { type BoundNode, type BoundSequence, childNodes } from "./bound.ts";

/** Elements of a constant list that are gone through at once. */
const few = 256;

const known = new WeakMap<BoundNode, boolean>();

export const isLong = (bound: BoundNode): boolean => {
  const found = known.get(bound) ?? (runsLong(bound) || childNodes(bound).some(isLong));
  known.set(bound, found);
  return found;
};

const runsLong = (bound: BoundNode): boolean => {
  if (bound.kind === "apply") return bound.operation.inSteps !== undefined;
  return bound.kind === "sequence" && bound.head === undefined && !isConstant(bound);
};

/** `in ("a", "b")`: the list is written in the text, or was given as an argument. */
const isConstant = ({ source }: BoundSequence): boolean => {
  if (source.kind === "value") return Sequence.is(source.value) && source.value.elements.length <= few;
  return source.kind === "apply" && source.operation === newArray;
};
