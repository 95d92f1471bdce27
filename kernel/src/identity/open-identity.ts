/** An identity provider as it is configured, for the guard of a server: who comes with its tokens, and what refused requests are challenged with. */
import type { Principal } from "../call/call.ts";
import { loadOnce } from "../call/load-once.ts";
import type { IdentityConfig } from "../config/config.ts";
import type { Log } from "../observe/log.ts";
import type { IdentityRules } from "../server/guard.ts";
import { toPrincipal } from "./grants.ts";
import { Identity } from "./identity.ts";
import { type ProtectedResource, protectedResource } from "./resource.ts";

/** The rules of the guard, the page of metadata, and who is known. */
export interface OpenIdentity extends IdentityRules, Pick<ProtectedResource, "mount" | "listensAt"> {
  /** The principal of an `Authorization` header, by what is known. */
  readonly known: (authorization: string | undefined) => Principal | undefined;
}

/** Asks the provider for nothing before the first token comes. Failures to reach it are logged. */
export const openIdentity = (config: IdentityConfig, log: Log): OpenIdentity => {
  const { audiences, ...resource } = protectedResource(config);
  const provider = loadOnce(() =>
    import("./provider.ts").then(({ openProvider }) => openProvider({ ...config, audiences })),
  );
  const identity = new Identity({
    verify: (token) => provider().then((verify) => verify(token)),
    principal: ({ claims }) => toPrincipal(claims, config),
    now: Date.now,
    recheckMs: config.recheckS * 1_000,
    failed: (cause) => log("warn", "the identity provider could not be asked", { issuer: config.issuer, cause }),
  });
  return {
    ...resource,
    known: (authorization) => identity.known(authorization),
    identify: (authorization) => identity.identify(authorization),
  };
};
