/** A name that no row has gives nulls: the answer says so, and what may have been meant. */
import "../testing/natives.ts";
import { afterEach, expect, test } from "vitest";
import { useNatives } from "../host/hidden-class.ts";
import { type InspectionHandle, inspect } from "../host.ts";

let open: InspectionHandle | undefined;
afterEach(() => {
  open?.close();
  // Other tests of this process need them.
  useNatives(true);
});

const note = (query: object, length = 3): unknown => {
  const rows = Array.from({ length }, (_, id) => (id === 1 ? { id, only: 1 } : { id, customer: { name: "a" } }));
  open = inspect({ rows, Other: 3, maps: [new Map([["a", 1]])], none: [] });
  const reply = open.ask("query", { from: "rows", ...query });
  return reply.ok ? (reply.value as { readonly note?: string }).note : reply;
};

test.each([
  [{ where: "idd == 1" }, "no row has 'idd'; did you mean 'id'?"],
  [{ orderBy: "custmer", select: "id" }, "no row has 'custmer'; did you mean 'customer'?"],
  [{ groupBy: "zzz" }, "no row has 'zzz'; there is id, customer, only"],
  [{ select: "new (idd, ID, only)" }, "no row has 'idd'; did you mean 'id'?"],
  [{ where: "idd == 1 || it.custmer != null", take: 1 }, /'idd'.*\. no row has 'custmer'/],
])("%j", (query, said) => {
  const found = note(query);
  if (said instanceof RegExp) expect(found).toMatch(said);
  else expect(found).toBe(said);
});

test.each([
  [{ where: "id == 1 && only == 1" }],
  [{ where: "Other == id" }],
  [{ where: "customer?.nme == null" }],
  [{ from: "maps", where: "b == null" }],
  [{ from: "none", where: "b == null" }],
])("nothing is said of %j", (query) => {
  expect(note(query)).toBeUndefined();
});

test.each([
  [true, 250],
  [false, 256],
])("of many rows some are looked at, and that is said; with V8's natives: %s", (on, looked) => {
  useNatives(on);
  expect(note({ where: "idd == 1" }, 5_000)).toBe(
    `none of ${looked} rows that were looked at has 'idd'; did you mean 'id'?`,
  );
});
