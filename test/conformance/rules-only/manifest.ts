/** What ships, without the services that have nothing to do with the rules and would have to start. */
import shipped from "../../../kernel/gen/manifest.ts";

export default {
  ...shipped,
  services: shipped.services.filter(({ id }) => id === "rules"),
  tools: async () => (await shipped.tools()).filter(({ procedure }) => /^(?:rules|kernel)\./.test(procedure)),
};
