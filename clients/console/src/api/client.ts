/**
 * The console's one client: tRPC over the generated router, and nothing else of the kernel. Procedures of services, which the console does not know
 * when it is built, are called by their names.
 */
import type { AppErrorData, AppRouter } from "@fairlead/client/app-router";
import { links } from "@fairlead/client/trpc";
import { QueryClient } from "@tanstack/react-query";
import { createTRPCClient, getUntypedClient, TRPCClientError } from "@trpc/client";
import { pageHeaders } from "./page-headers.ts";

export const trpcClient = createTRPCClient<AppRouter>({
  links: links({ url: location.origin, headers: pageHeaders, retry: false }),
});

/** For procedures by name. */
export const untypedClient = getUntypedClient(trpcClient);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && readCallError(error).retryable,
    },
  },
});

type CallError = AppErrorData["error"];

/** What the kernel said of a failure; for what it did not say, that there was no answer. */
export const readCallError = (error: unknown): CallError => {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  if (typeof data === "object" && data !== null && "error" in data) return data.error as CallError;
  return { code: "unavailable", message: error instanceof Error ? error.message : String(error), retryable: true };
};

/** True for an answer to somebody who is not let in. */
export const isSignedOut = (error: unknown): boolean => readCallError(error).code === "unauthenticated";
