/** The app: one call with @trpc/tanstack-react-query, one with the generated client, and a refusal. `VITE_KERNEL` is the kernel's address. */
import { createClient, fetchTransport, isReason } from "@fairlead/client";
import { links } from "@fairlead/client/trpc";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createTRPCClient } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { createRoot } from "react-dom/client";
import type { AppRouter } from "./gen/app-router.ts";
import { type HelloTypes, hello } from "./gen/hello.ts";

const url: string = import.meta.env.VITE_KERNEL;
const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const trpcClient = createTRPCClient<AppRouter>({ links: links({ url }) });
const client = createClient<HelloTypes>(hello, fetchTransport({ url }));

/** The reason of a refusal, which is typed by the contract. */
const refusal = async (): Promise<string> => {
  try {
    return (await client.greet({ name: " " })).greeting;
  } catch (error) {
    return isReason(error, client.greet, "blank_name") ? `refused: ${error.reason}` : String(error);
  }
};

const App = () => {
  const trpc = useTRPC();
  const greeting = useQuery(trpc.hello.greet.queryOptions({ name: "Ada" }));
  const refused = useQuery({ queryKey: ["refused"], queryFn: refusal });
  // @ts-expect-error a name is a text
  trpc.hello.greet.queryOptions({ name: 1 });
  return (
    <>
      <p id="greeting">{greeting.data?.greeting ?? greeting.error?.message}</p>
      <p id="refused">{refused.data}</p>
    </>
  );
};

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <App />
      </TRPCProvider>
    </QueryClientProvider>,
  );
