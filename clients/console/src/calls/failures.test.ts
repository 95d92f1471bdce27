import { expect, it } from "vitest";
import type { LiveEvent } from "../api/live.ts";
import { groupFailures } from "./failures.ts";

const call = (seq: number, data: Readonly<Record<string, string>>): LiveEvent => ({
  seq,
  at: `2026-01-01T00:00:0${seq}.000Z`,
  type: "call",
  service: "shop",
  data: { procedure: "shop.buy", ...data },
});

it("failures of one procedure for one reason are one, with when and by how many", () => {
  const calls = [
    call(1, { outcome: "not_found", reason: "sold_out", principal: "ada" }),
    call(2, { outcome: "ok" }),
    call(3, { outcome: "unavailable", principal: "ada" }),
    call(4, { outcome: "not_found", reason: "sold_out", principal: "grace" }),
    call(5, { outcome: "canceled" }),
    call(6, { outcome: "not_found", reason: "sold_out", principal: "ada", procedure: "shop.find" }),
    call(7, { outcome: "not_found", reason: "sold_out", principal: "ada" }),
  ];
  expect(groupFailures(calls).map(({ example, ...group }) => ({ ...group, example: example.seq }))).toEqual([
    {
      ...{ procedure: "shop.buy", reason: "sold_out", count: 3, callers: 2, example: 7 },
      ...{ first: "2026-01-01T00:00:01.000Z", last: "2026-01-01T00:00:07.000Z" },
    },
    {
      ...{ procedure: "shop.buy", reason: "unavailable", count: 1, callers: 1, example: 3 },
      ...{ first: "2026-01-01T00:00:03.000Z", last: "2026-01-01T00:00:03.000Z" },
    },
    {
      ...{ procedure: "shop.find", reason: "sold_out", count: 1, callers: 1, example: 6 },
      ...{ first: "2026-01-01T00:00:06.000Z", last: "2026-01-01T00:00:06.000Z" },
    },
  ]);
});
