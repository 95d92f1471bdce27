/** The app with its clients around it: the same in the browser and on the server. */
import { type DehydratedState, HydrationBoundary, type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { App, type makeTrpcClient, TRPCProvider } from "./app.tsx";

interface RootOptions {
  readonly queryClient: QueryClient;
  readonly trpcClient: ReturnType<typeof makeTrpcClient>;
  readonly state: DehydratedState;
}

export const Root = ({ queryClient, trpcClient, state }: RootOptions) => (
  <QueryClientProvider client={queryClient}>
    <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
      <HydrationBoundary state={state}>
        <App />
      </HydrationBoundary>
    </TRPCProvider>
  </QueryClientProvider>
);
