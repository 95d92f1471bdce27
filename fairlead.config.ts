/** This repository as a Fairlead project: where its contracts and services are, and where generated files go. */
import type { ConfigInput } from "@fairlead/kernel";

export default {
  gen: {
    contracts: ["contracts/src"],
    services: "services",
    out: { schemas: "contracts/gen", kernel: "kernel/gen", client: "clients/typescript/gen" },
    python: "clients/python/gen/fairlead_services",
    // `npm test` checks the generated files beside the tests and after them by priority: a slow machine needs minutes to prove a large contract.
    loadTimeoutMs: 120_000,
  },
} satisfies ConfigInput;
