/**
 * `fairlead/router`: the shipped services in an app's own tRPC router, with their types.
 *
 *     const fairlead = createRouter({ t, dispatch: kernel.dispatch, principal: (ctx) => ctx.user });
 *
 * A project's own services have the same function in its `gen/router.ts`. Not here: what it does (`@fairlead/kernel/trpc`).
 */
import type { AppRecord } from "@fairlead/client/app-router";
import type { CreateRouter } from "@fairlead/kernel";
import { createRouter as untyped } from "@fairlead/kernel/router";

/** Makes a router of the shipped services for an app's own `t`; it can be nested, merged and called in process. */
// The boundary between the kernel's package, which may not know clients' types, and those types: both are generated from one model.
/** The tRPC router of all shipped services, typed, for an app of its own: `createRouter({ t, dispatch, principal })`. */
export const createRouter = untyped as CreateRouter<AppRecord>;
