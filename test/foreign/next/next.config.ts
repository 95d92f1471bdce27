/** Kernel and services are Node's to load: they find code, threads and documents by their paths. */
import type { NextConfig } from "next";

export default { serverExternalPackages: ["@fairlead/kernel", "fairlead"] } satisfies NextConfig;
