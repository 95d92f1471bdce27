/** The browser's entry: takes over the page that the server rendered. */
import type { DehydratedState } from "@tanstack/react-query";
import { hydrateRoot } from "react-dom/client";
import { makeQueryClient, makeTrpcClient, type Settings } from "./app.tsx";
import { Root } from "./root.tsx";

const root = document.getElementById("root");
const { settings, state }: { settings: Settings; state: DehydratedState } = JSON.parse(
  document.getElementById("state")?.textContent ?? "",
);
if (root !== null) {
  const queryClient = makeQueryClient();
  hydrateRoot(root, <Root queryClient={queryClient} trpcClient={makeTrpcClient(settings)} state={state} />, {
    onRecoverableError: (error) => console.error(`hydration: ${String(error)}`),
  });
}
