/**
 * The app in Next.js: what `app/api/trpc/[trpc]/route.ts` exports. Bun, Deno and Workers take the same handler.
 *
 *     export const { GET, POST } = createRoute(createAppRouter(await openKernel()));
 */
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { type AppRouter, createContext } from "./router.ts";

export const createRoute = (router: AppRouter) => {
  const handler = (req: Request): Promise<Response> =>
    fetchRequestHandler({
      endpoint: "/api/trpc",
      req,
      router,
      createContext: () => createContext(req.headers.get("x-user")),
    });
  return { GET: handler, POST: handler };
};
