/** A project whose service is there to be misused. The tests copy it, generate and start it; nothing generated is kept. */
export default {
  manifest: "./gen/manifest.ts",
  stateDir: "./state",
  gen: { include: ["@fairlead/contracts/rules"] },
};
