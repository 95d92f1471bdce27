/** An identity provider as it is configured, for the guard of a server: who comes with its tokens, and what refused requests are challenged with. */
import type { Principal } from "../call/call.ts";
import { loadOnce } from "../call/load-once.ts";
import type { IdentityConfig } from "../config/config.ts";
import type { Log } from "../observe/log.ts";
import type { IdentityRules } from "../server/guard.ts";
import { toPrincipal } from "./grants.ts";
import { Identity } from "./identity.ts";
import type { Provider } from "./provider.ts";
import { type ProtectedResource, protectedResource } from "./resource.ts";

/** The rules of the guard, the page of metadata, and who is known. */
export interface OpenIdentity extends IdentityRules, Pick<ProtectedResource, "mount" | "listensAt"> {
  /** The principal of an `Authorization` header, by what is known. */
  readonly known: (authorization: string | undefined) => Principal | undefined;
}

/** Asks the provider for nothing before the first token comes. Failures to reach it are logged. */
export const openIdentity = (config: IdentityConfig, log: Log): OpenIdentity => {
  const { audiences, ...resource } = protectedResource(config);
  let opened: Provider | undefined;
  const provider = loadOnce(() =>
    import("./provider.ts").then(({ openProvider }) => {
      opened = openProvider({ ...config, audiences });
      return opened;
    }),
  );
  const { issuer } = config;
  const identity = new Identity({
    verify: (token) => provider().then(({ verify }) => verify(token)),
    isLocal: (token) => opened?.isLocal(token) === true,
    principal: ({ claims }) => toPrincipal(claims, config),
    now: Date.now,
    recheckMs: config.recheckS * 1_000,
    failed: (cause) => log("warn", "the identity provider could not be asked", { issuer, cause: causeMessages(cause) }),
    recovered: () => log("info", "the identity provider answers again", { issuer }),
  });
  return {
    ...resource,
    known: (authorization) => identity.known(authorization),
    identify: (authorization, address) => identity.identify(authorization, address),
  };
};

/** Causes of causes that are read. */
const mostCauses = 4;

/** What went wrong and why, in the words of the libraries. Not their other members: some have the answer of the provider, with what it says of a person. */
const causeMessages = (cause: unknown): readonly string[] => {
  const messages: string[] = [];
  for (let each = cause; each instanceof Error && messages.length < mostCauses; each = each.cause) {
    const code = "code" in each ? ` (${each.code})` : "";
    messages.push(`${each.name}: ${each.message}${code}`);
  }
  return messages;
};
