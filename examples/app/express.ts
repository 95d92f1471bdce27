/** The app in Express 5. */
import { createExpressMiddleware } from "@trpc/server/adapters/express";
import express from "express";
import { type AppRouter, createContext } from "./router.ts";

export const createApp = (router: AppRouter): express.Express => {
  const app = express();
  const trpc = createExpressMiddleware({ router, createContext: ({ req }) => createContext(req.get("x-user")) });
  return app.use("/trpc", trpc);
};
