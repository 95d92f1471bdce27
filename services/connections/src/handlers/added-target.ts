/**
 * What `connections.add` leads to: a name of the configuration, or an address of the caller's choice. Stricter rules apply to such an
 * address, and neither variables nor configured headers and tokens are sent to it.
 */

import type connections from "@fairlead/contracts/connections";
import { type Call, FairleadError, type Handlers } from "@fairlead/kernel/service";
import { urlRefusal } from "../http/address.ts";
import { headerRefusal } from "../http/headers.ts";
import { formatEndpoint, type HttpTarget, type Target } from "../machine/target.ts";
import type { ConnectionProcedures, HandlerContext } from "./context.ts";

type AddInput = Parameters<Handlers<typeof connections>["add"]>[0];

/** Throws what `add` declares where the caller may not lead a connection there. */
export const parseTarget = (
  { registry, configured }: Pick<HandlerContext, "registry" | "configured">,
  { name, url, headers = {}, era = "auto" }: AddInput,
  call: Pick<Call<ConnectionProcedures["add"]>, "fail">,
): Target => {
  const declared = configured.get(name);
  if (url === undefined) {
    if (declared !== undefined) return declared;
    const message = `the configuration names no upstream ${name}`;
    throw call.fail("not_configured", { message }, { known: [...configured.keys()].toSorted() });
  }
  const isPlain = Object.keys(headers).length === 0 && era === "auto";
  const leadsThere = (target: Target | undefined): target is HttpTarget =>
    target?.transport === "http" && target.url === url;
  const same = [declared, registry.connection(name)?.target].find(leadsThere);
  if (isPlain && same !== undefined) return same;
  const target: HttpTarget = {
    transport: "http",
    url,
    headers,
    era,
    trusted: false,
    awaitsApproval: false,
    // The rules for a name's tools hold wherever a caller leads it.
    tools: declared?.tools ?? {},
    ...(declared?.limits !== undefined && { limits: declared.limits }),
  };
  const header = headerRefusal(headers, target.trusted);
  if (header !== undefined) {
    const message = `the header ${JSON.stringify(header.name)} cannot be sent: ${header.why}`;
    throw new FairleadError({ code: "invalid_argument", message, hint: "leave it out, or correct it" });
  }
  const refusal = urlRefusal(url) ?? variableRefusal(target);
  if (refusal !== undefined) throw call.fail("address_refused", { message: `${formatEndpoint(target)}: ${refusal}` });
  return target;
};

/** A caller must not have the server's environment sent to an address of its choice. */
const variableRefusal = ({ url, headers }: HttpTarget): string | undefined =>
  [url, ...Object.values(headers)].some((text) => text.includes("${"))
    ? "variables are resolved only in the server's own configuration"
    : undefined;
