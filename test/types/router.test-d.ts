/** `createRouter` in an app's own code: what compiles and what does not. Nothing here runs: `tsc` is the test. */

import type { ResolveAttackInput, ResolveAttackOutput } from "@fairlead/client/rules";
import type { Dispatch, Principal } from "@fairlead/kernel";
import type { ProcedureMeta } from "@fairlead/kernel/trpc";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { initTRPC } from "@trpc/server";
import { createRouter as createShipped } from "fairlead/router";
import { createRouter } from "../conformance/project/gen/router.ts";
import type { Same } from "./same.ts";

declare const dispatch: Dispatch;
const t = initTRPC.context<{ readonly user: Principal }>().meta<Partial<ProcedureMeta>>().create();

const router = createRouter({ t, dispatch, principal: ({ user }) => user });
export const nested = t.router({ deep: { router }, own: t.procedure.query(({ ctx }) => ctx.user.id) });

// @ts-expect-error somebody has to say who calls
createRouter({ t, dispatch });
// @ts-expect-error the context has no such field
createRouter({ t, dispatch, principal: ({ nobody }) => nobody });
// @ts-expect-error a principal is not text
createRouter({ t, dispatch, principal: ({ user }) => user.id });

const narrowed = t.procedure.use(({ next }) => next({ ctx: { team: "red" } }));
createRouter({ t, dispatch, procedure: narrowed, principal: ({ user, team }) => ({ ...user, id: team }) });

const shipped = createShipped({ t, dispatch, principal: async ({ user }) => user });
type Inputs = inferRouterInputs<typeof shipped>;
type Outputs = inferRouterOutputs<typeof shipped>;

export const agreements: readonly [
  Same<Inputs["rules"]["resolveAttack"], ResolveAttackInput>,
  Same<Outputs["rules"]["resolveAttack"], ResolveAttackOutput>,
] = [true, true];

export const calls = async (): Promise<void> => {
  const caller = t.createCallerFactory(nested)({ user: { id: "ada", access: ["read"] } });
  const sum: number = await caller.deep.router.probe.sum({ a: 1 });
  // @ts-expect-error `a` is a number
  await caller.deep.router.probe.sum({ a: "1", b: sum });
};
