/** The app: queries, mutations, infinite queries, subscriptions and an aborted call, as @trpc/tanstack-react-query's documents write them. */

import { links } from "@fairlead/client/trpc";
import { QueryClient, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { createTRPCClient } from "@trpc/client";
import { createTRPCContext, useSubscription } from "@trpc/tanstack-react-query";
import { useState } from "react";
import type { AppRouter } from "./app-router.ts";

export interface Settings {
  /** The kernel's address. */
  readonly url: string;
  readonly token: string;
}

export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

export const makeQueryClient = (): QueryClient =>
  new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });

export const makeTrpcClient = (settings: Settings) => createTRPCClient<AppRouter>({ links: links(settings) });

export const prefetchedSum = { a: 1, b: 2 };
export const firstPages = { size: 4 };
export const getNextPageParam = ({ next }: { readonly next?: number }): number | undefined => next;

const Prefetched = () => {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.probe.sum.queryOptions(prefetchedSum));
  return <p id="prefetched">{data ?? "loading"}</p>;
};

const Refused = () => {
  const trpc = useTRPC();
  const { error } = useQuery(trpc.probe.sum.queryOptions({ a: 600, b: 600 }));
  return <p id="refused">{error === null ? "loading" : `${error.data?.code} ${error.data?.error.reason}`}</p>;
};

/** Two in one tick, one of them with an input that does not fit. */
const Batched = () => {
  const trpc = useTRPC();
  const good = useQuery(trpc.probe.sum.queryOptions({ a: 5 }));
  const bad = useQuery(trpc.probe.list.queryOptions({ count: 99 }));
  const fields = Object.keys(bad.error?.data?.zodError?.fieldErrors ?? {});
  return <p id="batched">{bad.error === null ? "loading" : `${good.data} ${bad.error.data?.code} ${fields}`}</p>;
};

const Paying = () => {
  const trpc = useTRPC();
  const { mutate, data } = useMutation(trpc.probe.pay.mutationOptions());
  return (
    <button id="pay" type="button" onClick={() => mutate({ amount: 7 })}>
      {data === undefined ? "pay" : `paid ${data.amount}`}
    </button>
  );
};

const Pages = () => {
  const trpc = useTRPC();
  const options = trpc.probe.pages.infiniteQueryOptions(firstPages, { getNextPageParam });
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(options);
  return (
    <p>
      <span id="pages">{data?.pages.map(({ items }) => items.join(" ")).join(" | ")}</span>
      <button id="more" type="button" disabled={!hasNextPage} onClick={() => void fetchNextPage()}>
        more
      </button>
    </p>
  );
};

const Counting = () => {
  const trpc = useTRPC();
  const [seen, setSeen] = useState<readonly string[]>([]);
  const { status } = useSubscription(
    trpc.probe.count.subscriptionOptions(
      { to: 3 },
      { onData: ({ id, data }) => setSeen((before) => [...before, `${id}:${data.value}`]) },
    ),
  );
  return (
    <p id="counted" data-status={status}>
      {seen.join(" ")}
    </p>
  );
};

const Waiting = () => {
  const trpc = useTRPC();
  useQuery(trpc.probe.wait.queryOptions({ name: "browser" }, { trpc: { abortOnUnmount: true } }));
  return <p id="waiting">waiting</p>;
};

export const App = () => {
  const [waits, setWaits] = useState(false);
  return (
    <main>
      <Prefetched />
      <Refused />
      <Batched />
      <Paying />
      <Pages />
      <Counting />
      <button id="wait" type="button" onClick={() => setWaits(!waits)}>
        wait
      </button>
      {waits && <Waiting />}
    </main>
  );
};
