/** Judges a whole history of the ledger: each register by a search for an order, each list by its last content. Pure. */
import { byKey, describeOperation, type Operation } from "./history.ts";
import { findOrder, register } from "./linearizable.ts";
import { checkList } from "./lists.ts";

/** What is wrong with it, in words; empty where nothing is. */
export const checkHistory = (operations: readonly Operation[]): readonly string[] =>
  [...byKey(operations)].flatMap(([key, own]) => {
    const cells = own.filter(({ action: { kind } }) => kind === "write" || kind === "read");
    const lists = own.filter(({ action: { kind } }) => kind === "append" || kind === "list");
    return [...checkRegister(cells), ...checkLastList(lists)].map((fault) => `${key}: ${fault}`);
  });

const checkRegister = (operations: readonly Operation[]): readonly string[] => {
  const failed = new Map(
    operations.flatMap((operation) =>
      operation.action.kind === "write" && operation.outcome.tag === "fail"
        ? [[operation.action.value as unknown, operation] as const]
        : [],
    ),
  );
  const seen = operations.flatMap(({ outcome }) => (outcome.tag === "ok" ? (failed.get(outcome.output) ?? []) : []));
  const verdict = findOrder(operations, register);
  return [
    ...[...new Set(seen)].map(
      (operation) => `it was said to have failed, and happened: ${describeOperation(operation)}`,
    ),
    ...(verdict.tag === "impossible" ? [verdict.why] : []),
  ];
};

/** The last reading has to be of a time when nothing happened any more. */
const checkLastList = (operations: readonly Operation[]): readonly string[] => {
  if (operations.length === 0) return [];
  const last = operations.toSorted((one, other) => one.invoked - other.invoked).at(-1);
  if (last?.action.kind !== "list" || last.outcome.tag !== "ok")
    return ["its last operation is not a reading of the list"];
  return checkList(operations, last.outcome.output as readonly string[]);
};
