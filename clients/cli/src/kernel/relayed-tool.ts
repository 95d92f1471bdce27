/** Tools that a service relays, by their names alone: they are in no document, and only the kernel knows whether they exist. Pure. */
import type { ProcedureDescriptor } from "@fairlead/client";

/** How a tool with a name like `<service>.<server>__<tool>` is called; `undefined` for any other name. */
export const relayedTool = (name: string): ProcedureDescriptor | undefined => {
  const [, service, tool = ""] = /^([a-z][a-z0-9]*)\.([\w-]+)$/.exec(name) ?? [];
  const middle = tool.indexOf("__", 1);
  if (service === undefined || middle === -1 || middle + 2 === tool.length) return undefined;
  const path = `/api/${service}/${tool}`;
  return { name, kind: "mutation", path, retry: "unsafe" };
};

/** The hint for such a tool that a kernel in this process does not have. */
export const relayedToolHint =
  "this command started the services itself; to call a tool of a running kernel, add its address, like --url http://127.0.0.1:5099";
