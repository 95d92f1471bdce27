/** The generated client: what a caller may write and what not. Nothing here runs: `tsc` is the test. */
import { type Client, createClient, fetchTransport, isReason } from "@fairlead/client";
import { type ResolveAttackOutput, type RulesTypes, rules } from "@fairlead/client/rules";
import type { CallerInput, CallerOutput, DeclaredErrors } from "@fairlead/contracts";
import type rulesContract from "@fairlead/contracts/rules";
import { type ValueTypes, withValues } from "@fairlead/contracts/values";
import type { probe as probeContract } from "../conformance/project/contracts/probe.contract.ts";
import { type ProbeTypes, probe } from "../conformance/project/gen/probe.ts";

const transport = fetchTransport({ url: "http://127.0.0.1:5099" });
export const client: Client<ProbeTypes> = createClient<ProbeTypes>(probe, transport);

// @ts-expect-error the descriptor is another service's
createClient<ProbeTypes>(rules, transport);
// @ts-expect-error a client has a transport
createClient<ProbeTypes>(probe);

export const calls = async (): Promise<void> => {
  const sum: number = await client.sum({ a: 1 });
  await client.sum({ a: sum, b: 2 }, { timeoutMs: 5, retry: false, signal: AbortSignal.timeout(1) });
  await client.hang();
  await client.pay({ amount: 1 }, { idempotencyKey: "once" });
  const { greeting }: { greeting: string } = await client.elder({ name: "Ada" });
  const list: readonly number[] = await client.list({ count: greeting.length });

  // @ts-expect-error `a` is missing
  await client.sum({ b: 1 });
  // @ts-expect-error an input is needed
  await client.sum();
  // @ts-expect-error `a` is a number
  await client.sum({ a: "1" });
  // @ts-expect-error there is no such field
  await client.sum({ a: 1, c: 1 });
  // @ts-expect-error there is no such procedure
  await client.subtract({ a: 1 });
  // @ts-expect-error the sum is a number
  const wrong: string = await client.sum({ a: 1 });
  // @ts-expect-error there is no such option
  await client.sum({ a: 1 }, { timeout: 5 });
  // @ts-expect-error a call is not a stream
  for await (const item of client.list({ count: list.length })) console.log(item);

  for await (const { value } of client.count({ to: 3 }, { lastEventId: "1" })) console.log(value.toFixed(), wrong);
  // @ts-expect-error a stream is not awaited for a value
  (await client.count({ to: 3 })).value;
  // @ts-expect-error a stream has no deadline
  client.count({ to: 3 }, { timeoutMs: 5 });
};

export const errors = (caught: unknown): void => {
  if (isReason(caught, client.sum, "too_big")) {
    const limit: number = caught.data.limit;
    // @ts-expect-error the limit is a number
    const text: string = caught.data.limit;
    console.log(limit, text);
  }
  // @ts-expect-error the procedure declares no such error
  isReason(caught, client.sum, "too_small");
  // @ts-expect-error this procedure declares none
  isReason(caught, client.echo, "too_big");
};

declare const contractOfProbe: typeof probeContract;
/** With values, the types are those that the contract's handlers have. */
export const valueClient: Client<ValueTypes<typeof probeContract>> = createClient<ValueTypes<typeof probeContract>>(
  withValues(probe, contractOfProbe),
  transport,
);
export const valueOfSum: Promise<number> = valueClient.sum({ a: 1, b: 2 });

/** What the contract takes fits what is generated for callers, and what is generated of answers fits the contract. */
type Fits<A, B> = [A] extends [B] ? true : false;
type Procedures = (typeof probeContract)["procedures"];
type Rules = (typeof rulesContract)["procedures"];

export const agreements: readonly [
  Fits<CallerInput<Procedures["sum"]>, ProbeTypes["sum"]["input"]>,
  Fits<ProbeTypes["sum"]["output"], CallerOutput<Procedures["sum"]>>,
  Fits<ProbeTypes["echo"]["output"], CallerOutput<Procedures["echo"]>>,
  Fits<ProbeTypes["elder"]["output"], CallerOutput<Procedures["elder"]>>,
  Fits<ProbeTypes["count"]["output"], CallerOutput<Procedures["count"]>>,
  Fits<ProbeTypes["sum"]["errors"], DeclaredErrors<Procedures["sum"]>>,
  Fits<CallerInput<Rules["resolveAttack"]>, RulesTypes["resolveAttack"]["input"]>,
  Fits<ResolveAttackOutput, CallerOutput<Rules["resolveAttack"]>>,
] = [true, true, true, true, true, true, true, true];
