/**
 * The app in Next.js: what `app/api/trpc/[trpc]/route.ts` exports. Bun, Deno and Workers take the same handler.
 *
 *     export const { GET, POST } = createRoute(openRouter);
 *
 * A kernel loads services, threads and documents by their paths, and knows events by the app's own copy of `@trpc/server`, so `next.config.ts`
 * leaves these to Node: `serverExternalPackages: ["@fairlead/kernel", "@trpc/server", "fairlead"]`.
 */
import { openKernel } from "@fairlead/kernel";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { type AppRouter, createAppRouter, createContext } from "./router.ts";

declare global {
  var appRouter: Promise<AppRouter> | undefined;
}

/** Opens the kernel for the first who needs it: `next build` loads every route and starts none. One for the process, also for pages and after a reload. */
export const openRouter = (): Promise<AppRouter> => {
  globalThis.appRouter ??= openKernel({ config: { only: ["rules"] } }).then(createAppRouter);
  return globalThis.appRouter;
};

export const createRoute = (open: () => Promise<AppRouter>) => {
  const handler = async (req: Request): Promise<Response> =>
    fetchRequestHandler({
      endpoint: "/api/trpc",
      req,
      router: await open(),
      createContext: () => createContext(req.headers.get("x-user")),
    });
  return { GET: handler, POST: handler };
};
