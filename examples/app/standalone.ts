/** The app on Node's own HTTP server. */
import { createHTTPServer } from "@trpc/server/adapters/standalone";
import { type AppRouter, createContext } from "./router.ts";

export const createServer = (router: AppRouter) =>
  createHTTPServer({
    router,
    basePath: "/trpc/",
    createContext: ({ req }) => createContext(req.headers["x-user"]?.toString()),
  });
