import { defineContract, query } from "@fairlead/contracts";
import { expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import type { Principal } from "../call/call.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const answer = query({ summary: "Answers.", input: z.object({}), output: z.string() });
const contract = (id: string, summary: string) =>
  defineContract({ id, version: "1.0.0", summary, procedures: { answer } });
const [front, back] = [contract("front", "Is called."), contract("back", "Is called by it.")];

it("calls a peer for the caller that was let in, with the service's rights and without a second place", async () => {
  const seen: Principal[] = [];
  const composition = compose({
    config: readConfig({}),
    services: [
      defineService(front, (host) => ({ handlers: { answer: async () => await host.peer(back).answer({}) } })),
      defineService(back, () => ({
        handlers: {
          answer: (_, call) => {
            seen.push(call.principal);
            return "from the back";
          },
        },
      })),
    ],
    env: {},
    events: makeEvents(),
    log: () => {},
    schema: async () => undefined,
  });
  const rate = { perSecond: 100, concurrent: 1 };
  const caller = connect(composition.dispatch, { id: "alice", access: ["read"], services: ["front"], rate });
  expect(await caller.call("front.answer", {})).toEqual({ ok: true, value: "from the back" });
  expect(await caller.call("back.answer", {})).toMatchObject({ error: { code: "permission_denied" } });
  expect(seen).toEqual([{ id: "alice", via: "front", access: ["read", "call"] }]);
  await composition.close();
});
