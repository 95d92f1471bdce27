/** A project outside the repository's own rooms, as a user would have it. */
export default {
  gen: { contracts: ["contracts"], services: "services", out: "gen", python: "gen/probe_clients" },
  manifest: "./gen/manifest.ts",
};
