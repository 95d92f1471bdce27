/**
 * An app's own tRPC router with the shipped services in it: procedures of the app beside them, one context, one error shape, superjson.
 * In a project of your own `createRouter` is in `gen/router.ts`, and has the services that the project has.
 *
 * Served by `standalone.ts`, `express.ts`, `fastify.ts` and `next.ts` in this folder, each with tRPC's own adapter.
 */
import type { Kernel, Principal } from "@fairlead/kernel";
import { errorData, type ProcedureMeta } from "@fairlead/kernel/trpc";
import { initTRPC, TRPCError } from "@trpc/server";
import { createRouter } from "fairlead/router";
import superjson from "superjson";

interface Context {
  readonly user: Principal | undefined;
}

/** Who calls, from a session's cookie or a token in a real app. */
export const createContext = (name: string | null | undefined): Context => ({
  user: typeof name === "string" ? { id: name, access: ["read", "call"] } : undefined,
});

const t = initTRPC
  .context<Context>()
  .meta<Partial<ProcedureMeta>>()
  .create({
    transformer: superjson,
    errorFormatter: ({ shape, error }) => ({ ...shape, data: { ...shape.data, ...errorData(error) } }),
  });

const loggedIn = t.procedure.use(({ ctx: { user }, next }) => {
  if (user === undefined) throw new TRPCError({ code: "UNAUTHORIZED", message: "log in first" });
  return next({ ctx: { user } });
});

/** The router over a kernel that `openKernel` gave. */
export const createAppRouter = ({ dispatch }: Pick<Kernel, "dispatch">) =>
  t.router({
    services: createRouter({ t, dispatch, procedure: loggedIn, principal: ({ user }) => user }),
    today: loggedIn.query(({ ctx: { user } }) => ({ user: user.id, at: new Date() })),
  });

export type AppRouter = ReturnType<typeof createAppRouter>;
