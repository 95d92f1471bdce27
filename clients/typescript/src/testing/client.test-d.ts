/** What must and must not compile for users of generated clients. Checked by `tsc`, never run. */
import { createClient } from "../client.ts";
import type { ServiceDescriptor } from "../descriptor.ts";
import { isReason } from "../error.ts";
import { fetchTransport } from "../fetch.ts";
import { type DiceTypes, dice } from "./fixture.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const exactly = <A, B>(same: Equal<A, B>): boolean => same;

const client = createClient<DiceTypes>(dice, fetchTransport({ url: "http://127.0.0.1:5099" }));

export const calls = async (): Promise<void> => {
  const rolled = await client.roll({ sides: 6 }, { timeoutMs: 10, idempotencyKey: "k", retry: { attempts: 2 } });
  exactly<typeof rolled, { total: number }>(true);
  await client.look();
  await client.look({ level: 2 }, { retry: false });
  for await (const event of client.rolls({}, { lastEventId: "3" })) exactly<typeof event, { total: number }>(true);

  // @ts-expect-error an input that is needed may not be left out
  await client.roll();
  // @ts-expect-error a field of the wrong type
  await client.roll({ sides: "6" });
  // @ts-expect-error a field that is not in the contract
  await client.roll({ sides: 6, colour: "red" });
  // @ts-expect-error a procedure that is not in the contract
  await client.rol({ sides: 6 });
  // @ts-expect-error a subscription is iterated, not awaited for one value
  const one: { total: number } = await client.rolls({});
  // @ts-expect-error a call is not a stream
  for await (const event of client.roll({ sides: 6 })) void event;
  // @ts-expect-error deadlines do not apply to subscriptions
  client.rolls({}, { timeoutMs: 5 });
  void one;
};

export const errors = (error: unknown): void => {
  if (isReason(error, client.roll, "no_such_die")) {
    exactly<typeof error.data, { known: number[] }>(true);
    exactly<typeof error.reason, "no_such_die">(true);
  }
  // @ts-expect-error an error that this procedure does not declare
  isReason(error, client.book, "no_such_die");
  // @ts-expect-error a procedure that declares none
  isReason(error, client.look, "anything");
};

const { rolls: _, ...withoutRolls } = dice.procedures;
// @ts-expect-error a descriptor that lacks a procedure of the types
createClient<DiceTypes>({ id: "dice", procedures: withoutRolls }, fetchTransport({ url: "" }));

const notStreaming = { ...dice, procedures: { ...dice.procedures, rolls: dice.procedures.look } } as const;
notStreaming satisfies ServiceDescriptor;
// @ts-expect-error types that say subscription, a descriptor that says query
createClient<DiceTypes>(notStreaming, fetchTransport({ url: "" }));
