/** Kernel and services are Node's to load: they find code, threads and documents by their paths, and share one `@trpc/server` with the app. */
import type { NextConfig } from "next";

export default { serverExternalPackages: ["@fairlead/kernel", "@trpc/server", "fairlead"] } satisfies NextConfig;
