/** Tool definitions and targets that have changed: shown, and approved by a person. */
import { cleanText } from "@fairlead/contracts";
import { type HandlerFactory, requireConnection } from "./context.ts";

export const approve: HandlerFactory<"approve"> =
  (context) =>
  ({ name, tools }, call) => {
    const { registry, approved, configured } = context;
    requireConnection(context, name, call);
    const target = registry.connection(name)?.target;
    const approvesTarget = target?.awaitsApproval === true && tools === undefined;
    if (approvesTarget) {
      const usable = { ...target, awaitsApproval: false };
      approved.approve(name, usable);
      if (configured.has(name)) configured.set(name, usable);
      registry.add(name, usable);
    }
    return { approved: [...registry.approve(name, tools)], target: approvesTarget };
  };

export const quarantine: HandlerFactory<"quarantine"> =
  (context) =>
  ({ name }, call) => {
    requireConnection(context, name, call);
    const { quarantined } = context.registry.record(name).offer;
    return {
      tools: quarantined.map(({ tool, approved, found, definition, changes }) => ({
        tool,
        approved,
        found,
        changes: changes.map((change) => ({ ...change })),
        description: cleanText(String(definition.description ?? ""), 2_000),
      })),
    };
  };
