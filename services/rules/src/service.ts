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
  ({ config: { classifier: settings }, env, log, stateDir }) => {
    const access = readAccess(env);
    const releases: (() => void)[] = [];
    return {
      handlers: async () =>
        (await code()).createHandlers({ settings, access, log, stateDir, onStop: (release) => releases.push(release) }),
      info: () => classifierInfo(settings, access),
      stop: () => {
        for (const release of releases) release();
      },
    };
  },
  { config: rulesConfig, code },
);

export default service;
