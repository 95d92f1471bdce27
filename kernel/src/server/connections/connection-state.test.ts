import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { ConnectionState } from "./connection-state.ts";

test("what it holds is counted without a look at the requests that wait", () => {
  const state = new ConnectionState(new Socket());
  let looks = 0;
  const response = (): ServerResponse =>
    Object.create(ServerResponse.prototype, {
      writableLength: {
        get: () => {
          looks += 1;
          return 100;
        },
      },
    });
  const responses = Array.from({ length: 1_000 }, response);
  for (const each of responses) state.open.add(each);
  for (const each of responses.slice(0, 8)) state.begun.add(each);
  state.waiting = 992;
  expect(state.unsent).toBe(800);
  expect(state.bytes).toBe(800 + 992 * 4_096);
  expect(looks).toBe(16);
  state.drop();
  expect([state.open.size, state.begun.size, state.waiting, state.bytes]).toEqual([0, 0, 0, 0]);
});
