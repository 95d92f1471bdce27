/** Tools that a service relays, by their names alone: they are in no document, and only the kernel knows whether they exist. Pure. */
import type { ProcedureDescriptor } from "@fairlead/client";

/** What `connections.holler__ping` is called like; `undefined` for a name that is none of such a tool. */
export const relayedTool = (name: string): ProcedureDescriptor | undefined => {
  const [, service, tool = ""] = /^([a-z][a-z0-9]*)\.([\w-]+)$/.exec(name) ?? [];
  const middle = tool.indexOf("__", 1);
  if (service === undefined || middle === -1 || middle + 2 === tool.length) return undefined;
  const path = `/api/${service}/${tool}`;
  return { name, kind: "mutation", method: "POST", path, encoding: "json", retry: "unsafe" };
};

/** What to say of such a tool that a kernel in this process does not have. */
export const relayedToolHint =
  "this command ran the services by itself; for a tool of a kernel that runs, name it with --url, like --url http://127.0.0.1:5099";
