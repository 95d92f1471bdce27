/** tRPC for the browser: the app's router with the shipped services in it. */
import { createRoute, openRouter } from "../../../../fairlead/next.ts";

export const { GET, POST } = createRoute(openRouter);
