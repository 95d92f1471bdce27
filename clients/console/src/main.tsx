/** The console's entry: takes the one-time link out of the address, finds out who is there, and shows the pages. */
import "./styles.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/client.ts";
import "./api/arrival.ts";
import { openLinkedSession } from "./api/session.ts";
import { router } from "./app/router.tsx";
import { applyScheme } from "./app/scheme.ts";

applyScheme();
await openLinkedSession();

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <CSPProvider {...(nonce !== undefined && { nonce })}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
