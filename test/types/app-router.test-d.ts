/** The generated `AppRouter` in tRPC's own client: what a caller may write and what not. Nothing here runs: `tsc` is the test. */
import type { AppRouter as ShippedRouter } from "@fairlead/client/app-router";
import type { ResolveAttackInput, ResolveAttackOutput } from "@fairlead/client/rules";
import { links } from "@fairlead/client/trpc";
import { createTRPCClient, TRPCClientError } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "../conformance/project/gen/app-router.ts";
import type { Same } from "./same.ts";

const client = createTRPCClient<AppRouter>({ links: links({ url: "http://127.0.0.1:5099" }) });

export const calls = async (): Promise<void> => {
  const sum: number = await client.probe.sum.query({ a: 1 });
  const paid: { amount: number; count: number } = await client.probe.pay.mutate({ amount: sum });
  client.probe.count.subscribe({ to: paid.count }, { onData: ({ id, data }) => console.log(id, data.value.toFixed()) });

  // @ts-expect-error `a` is missing
  await client.probe.sum.query({ b: 1 });
  // @ts-expect-error `a` is a number
  await client.probe.sum.query({ a: "1" });
  // @ts-expect-error a query is not a mutation
  await client.probe.sum.mutate({ a: 1 });
  // @ts-expect-error a mutation is not a query
  await client.probe.pay.query({ amount: 1 });
  // @ts-expect-error a subscription is not a query
  await client.probe.count.query({ to: 1 });
  // @ts-expect-error there is no such procedure
  await client.probe.subtract.query({ a: 1 });
  // @ts-expect-error there is no such service
  await client.prober.sum.query({ a: 1 });
  // @ts-expect-error the sum is a number
  const wrong: string = await client.probe.sum.query({ a: 1 });
  // @ts-expect-error an event has no such field
  client.probe.count.subscribe({ to: 1 }, { onData: ({ data }) => console.log(data.text, wrong) });
};

export const errors = (caught: unknown): void => {
  if (!(caught instanceof TRPCClientError)) return;
  const typed: TRPCClientError<AppRouter> = caught;
  const code: string | undefined = typed.data?.error.code;
  const fix: string | undefined = typed.data?.error.issues?.[0]?.fix;
  // @ts-expect-error an envelope has no such field
  console.log(code, fix, typed.data?.error.status);
};

type Inputs = inferRouterInputs<ShippedRouter>;
type Outputs = inferRouterOutputs<ShippedRouter>;

export const agreements: readonly [
  Same<Inputs["rules"]["resolveAttack"], ResolveAttackInput>,
  Same<Outputs["rules"]["resolveAttack"], ResolveAttackOutput>,
] = [true, true];
