/** What a client sees while owners come and go: one answer to each request, and no call that must not be made twice. */
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { ClientRelay } from "./relay.ts";

const repeatable = { always: ["read"], keyed: ["pay"] };
let toOwner: string[];
let toClient: string[];
let relay: ClientRelay;
beforeEach(() => {
  [toOwner, toClient] = [[], []];
  relay = new ClientRelay({ toOwner: (line) => toOwner.push(line), toClient: (line) => toClient.push(line) });
});

const call = (id: number, name: string, meta: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, _meta: meta } });
const answer = (id: unknown): string => JSON.stringify({ jsonrpc: "2.0", id, result: {} });
const initialize = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: {} });
const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
const methods = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).method);

describe("when the owner is gone", () => {
  test("safe calls and keyed ones with a key go to the next owner, others are answered", () => {
    relay.attached(repeatable);
    const [read, paid] = [call(1, "read"), call(2, "pay", { "fairlead/idempotencyKey": "k" })];
    for (const line of [read, paid, call(3, "pay"), call(4, "write")]) relay.fromClient(line);
    relay.lost();
    const answers = toClient.map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id)).toEqual([3, 4]);
    expect(answers[0].result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("pay") }],
      _meta: { "fairlead/error": { code: "unavailable", retryable: false } },
    });
    toOwner = [];
    relay.attached(repeatable);
    expect(toOwner).toEqual([read, paid]);
  });

  test("the session begins again, and its second beginning is not shown", () => {
    relay.attached(repeatable);
    relay.fromClient(initialize);
    relay.fromOwner(answer(0));
    relay.fromClient(initialized);
    relay.lost();
    relay.fromClient(call(1, "read"));
    toOwner = [];
    relay.attached(repeatable);
    expect(methods(toOwner)).toEqual(["initialize", "notifications/initialized", "tools/call"]);
    toClient = [];
    relay.fromOwner(answer(JSON.parse(toOwner[0] ?? "").id));
    expect(toClient).toEqual([]);
  });

  test("a beginning without an answer is sent once", () => {
    relay.attached(repeatable);
    relay.fromClient(initialize);
    relay.lost();
    toOwner = [];
    relay.attached(repeatable);
    expect(toOwner).toEqual([initialize]);
  });

  test("what it asked of the client is withdrawn, and an answer to that is dropped", () => {
    relay.attached(repeatable);
    relay.fromOwner(JSON.stringify({ jsonrpc: "2.0", id: 7, method: "elicitation/create" }));
    relay.lost();
    expect(JSON.parse(toClient.at(-1) ?? "")).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: 7 },
    });
    toOwner = [];
    relay.fromClient(answer(7));
    relay.attached(repeatable);
    expect(toOwner).toEqual([]);
  });
});

type Event =
  | { readonly kind: "call"; readonly name: string }
  | { readonly kind: "answer" }
  | { readonly kind: "change" };
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant("call" as const), name: fc.constantFrom("read", "pay", "write") }),
  fc.constant({ kind: "answer" as const }),
  fc.constant({ kind: "change" as const }),
);

test("each call is answered once, and one that must not be repeated is sent once", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const sent = new Map<number, number>();
      const answered = new Map<number, number>();
      const names = new Map<number, string>();
      let atOwner: number[] = [];
      const count = (counts: Map<number, number>, id: number): void => void counts.set(id, (counts.get(id) ?? 0) + 1);
      const tested = new ClientRelay({
        toOwner: (line) => {
          const { id } = JSON.parse(line);
          count(sent, id);
          atOwner.push(id);
        },
        toClient: (line) => count(answered, JSON.parse(line).id),
      });
      const reply = (): void => {
        const id = atOwner.shift();
        if (id !== undefined) tested.fromOwner(answer(id));
      };
      let isAttached = false;
      for (const { kind, ...more } of [...events, { kind: "change" } as const]) {
        if (kind === "call" && "name" in more) {
          names.set(names.size, more.name);
          tested.fromClient(call(names.size - 1, more.name));
        } else if (kind === "answer") reply();
        else {
          atOwner = [];
          if (isAttached) tested.lost();
          else tested.attached(repeatable);
          isAttached = !isAttached;
        }
      }
      if (!isAttached) tested.attached(repeatable);
      while (atOwner.length > 0) reply();
      for (const [id, name] of names) {
        expect(answered.get(id)).toBe(1);
        if (name !== "read") expect(sent.get(id)).toBe(1);
      }
      expect(tested.isWaitedFor).toBe(false);
    }),
  );
});
