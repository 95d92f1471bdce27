/**
 * The rules service. Its rules are read with the first call: what must be right from the start is the classifier's configuration.
 */
import rules from "@fairlead/contracts/rules";
import { defineService } from "@fairlead/kernel/service";
import { classifierInfo, readAccess, readSettings } from "./classify/settings.ts";

const code = () => import("./handlers.ts");

export default defineService(
  rules,
  (host) => {
    const settings = readSettings(host.config);
    const access = readAccess(host.env);
    return {
      handlers: async () => (await code()).handlersOf({ settings, access, log: host.log }),
      info: () => classifierInfo(settings, access),
    };
  },
  code,
);
