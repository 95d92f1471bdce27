/** The app in Fastify 5. */
import { fastifyTRPCPlugin } from "@trpc/server/adapters/fastify";
import fastify, { type FastifyInstance } from "fastify";
import { type AppRouter, createContext } from "./router.ts";

export const createApp = (router: AppRouter): FastifyInstance => {
  // Names of a batch are one parameter of the path.
  const app = fastify({ routerOptions: { maxParamLength: 5_000 } });
  app.register(fastifyTRPCPlugin, {
    prefix: "/trpc",
    trpcOptions: {
      router,
      createContext: ({ req }: { readonly req: { readonly headers: NodeJS.Dict<string | string[]> } }) =>
        createContext(req.headers["x-user"]?.toString()),
    },
  });
  return app;
};
