/** Renders the page with what it prefetches, and prints it: `node server.js <kernel> <token>`. */
import { dehydrate } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { renderToString } from "react-dom/server";
import { firstPages, getNextPageParam, makeQueryClient, makeTrpcClient, prefetchedSum } from "./app.tsx";
import type { AppRouter } from "./app-router.ts";
import { Root } from "./root.tsx";

const [url = "", token = ""] = process.argv.slice(2);
const queryClient = makeQueryClient();
const trpcClient = makeTrpcClient({ url, token });
const trpc = createTRPCOptionsProxy<AppRouter>({ client: trpcClient, queryClient });
await Promise.all([
  queryClient.prefetchQuery(trpc.probe.sum.queryOptions(prefetchedSum)),
  queryClient.prefetchInfiniteQuery(trpc.probe.pages.infiniteQueryOptions(firstPages, { getNextPageParam })),
]);
const state = dehydrate(queryClient);
const app = renderToString(<Root queryClient={queryClient} trpcClient={trpcClient} state={state} />);
const json = JSON.stringify({ settings: { url, token }, state }).replaceAll("<", "\\u003c");
process.stdout.write(`<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,">
<div id="root">${app}</div><script id="state" type="application/json">${json}</script><script type="module" src="/browser.js"></script>`);
