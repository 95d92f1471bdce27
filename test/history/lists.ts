/**
 * What must hold of a list to which values are appended, each once. Its last reading is the order of all that happened; so a history of thousands of
 * operations is judged in one walk. Pure.
 *
 * An append that was acknowledged with a length is also a counter's: the number of those before it, and itself.
 */
import { describeOperation, type Operation } from "./history.ts";

/** What is wrong with the operations on one list, whose last content this is; empty where nothing is. */
export const checkList = (operations: readonly Operation[], last: readonly string[]): readonly string[] => [
  ...twice(last),
  ...operations.flatMap((operation) => misplaced(operation, last)),
  ...outOfOrder(operations, last),
];

const twice = (last: readonly string[]): readonly string[] =>
  [...Map.groupBy(last, (value) => value)]
    .filter(([, found]) => found.length > 1)
    .map(([value, found]) => `${value} was applied ${found.length} times`);

const misplaced = (operation: Operation, last: readonly string[]): readonly string[] => {
  const { action, outcome } = operation;
  const said = describeOperation(operation);
  if (action.kind === "append") {
    const at = last.indexOf(action.value);
    if (outcome.tag === "fail") return at === -1 ? [] : [`it was said to have failed, and happened: ${said}`];
    if (outcome.tag !== "ok") return [];
    if (at === -1) return [`it was acknowledged, and is lost: ${said}`];
    return outcome.output === at + 1 ? [] : [`it is at ${at + 1}: ${said}`];
  }
  if (action.kind !== "list" || outcome.tag !== "ok") return [];
  const seen = outcome.output as readonly string[];
  return seen.every((value, at) => value === last[at]) ? [] : [`it is no beginning of the last content: ${said}`];
};

/** How long the list was after an operation; `undefined` where that is not known. */
const lengthAfter = ({ action, outcome }: Operation, last: readonly string[]): number | undefined => {
  if (action.kind === "append") {
    const at = outcome.tag === "fail" ? -1 : last.indexOf(action.value);
    return at === -1 ? undefined : at + 1;
  }
  return action.kind === "list" && outcome.tag === "ok" ? (outcome.output as readonly string[]).length : undefined;
};

/** Whatever began after another had ended comes after it: an append is further on, a reading is as long at least. */
const outOfOrder = (operations: readonly Operation[], last: readonly string[]): readonly string[] => {
  const known = operations.flatMap((operation) => {
    const length = lengthAfter(operation, last);
    return length === undefined ? [] : [{ operation, length }];
  });
  const byEnd = known.toSorted((one, other) => one.operation.ended - other.operation.ended);
  const byBeginning = known.toSorted((one, other) => one.operation.invoked - other.operation.invoked);
  const found: string[] = [];
  let ended = 0;
  let longest: (typeof known)[number] | undefined;
  for (const { operation, length } of byBeginning) {
    for (let next = byEnd[ended]; next !== undefined && next.operation.ended < operation.invoked; next = byEnd[ended]) {
      if (longest === undefined || next.length > longest.length) longest = next;
      ended += 1;
    }
    const least = (longest?.length ?? 0) + (operation.action.kind === "append" ? 1 : 0);
    if (length < least && longest !== undefined)
      found.push(
        `it comes after, and is before:\n  ${describeOperation(longest.operation)}\n  ${describeOperation(operation)}`,
      );
  }
  return found;
};
