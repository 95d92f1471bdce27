/**
 * The rules service. Its rules are read with the first call: what must be right from the start is the classifier's configuration.
 */
import rules from "@fairlead/contracts/rules";
import { defineService, type Service } from "@fairlead/kernel/service";
import { classifierInfo, readAccess, rulesConfig } from "./classify/settings.ts";

const code = () => import("./handlers.ts");

/** Its type is written out: the contract's is too long for the compiler to print into a declaration. */
const service: Service<typeof rules> = defineService(
  rules,
  ({ config: { classifier: settings }, env, log }) => {
    const access = readAccess(env);
    return {
      handlers: async () => (await code()).createHandlers({ settings, access, log }),
      info: () => classifierInfo(settings, access),
    };
  },
  { config: rulesConfig, code },
);

export default service;
