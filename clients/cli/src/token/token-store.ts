/** The token file of the kernel that this project's configuration describes, for the commands that change it. */
import { randomBytes } from "node:crypto";
import { pathToFileURL } from "node:url";
import type { AuditEntry, ChangedTokens, Token, TokenChange } from "@fairlead/kernel";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { wrongConfig } from "../kernel/open-kernel.ts";
import { statePlace } from "../owner/place.ts";
import { nearest, suggestHint } from "../text/suggest.ts";

interface TokenStore {
  readonly path: string;
  /** Those that have not expired. */
  readonly tokens: readonly Token[];
  /** Those and the ones in the configuration and the environment: while there is none, every caller is admitted. */
  readonly count: number;
  /** Changes them while no other process does; it is on the disk when this returns. */
  change(change: TokenChange): ChangedTokens;
  /** Who changed what when, oldest first. */
  audit(): readonly AuditEntry[];
  /** Ids of the services that a token can be for. */
  services(): Promise<readonly string[]>;
}

export const openTokenStore = async (context: Context): Promise<TokenStore> => {
  const { isExpired, loadManifest, openTokens, readConfig, tokenFilePath } = await import("@fairlead/kernel");
  const { readTokens, changeTokens, readAudit } = await openTokens();
  const { isWireError } = await import("@fairlead/contracts");
  const file = await context.configFile();
  const { env } = context.io;
  try {
    const { folder: stateDir } = await statePlace(context);
    const config = readConfig({ file: file.value, env, flags: { stateDir } });
    const path = tokenFilePath(config, env);
    const now = Date.now();
    const tokens = readTokens(path).filter((token) => !isExpired(token, now));
    return {
      path,
      tokens,
      count: tokens.length + config.tokens.length + (env.FAIRLEAD_TOKEN ? 1 : 0),
      change: (change) => changeTokens(path, change),
      audit: () => readAudit(path),
      services: async () => {
        const { services } = await loadManifest(config.manifest, pathToFileURL(`${file.root}/`).href);
        return [...services.map(({ id }) => id), "kernel"];
      },
    };
  } catch (error) {
    throw isWireError(error) ? wrongConfig(error, file.path, env) : error;
  }
};

/** A token of 256 random bits, and its hash. The token itself is never stored: its owner has to keep it. */
export const createSecret = async (): Promise<{ readonly secret: string; readonly sha256: string }> => {
  const { sha256 } = await import("@fairlead/kernel");
  const secret = `fairlead_${randomBytes(32).toString("base64url")}`;
  return { secret, sha256: sha256(secret) };
};

export const tokenNotFound = (name: string, tokens: readonly Token[]): CommandError => {
  const names = [...new Set(tokens.map((token) => token.name))];
  const otherwise =
    names.length === 0 ? "there are none; make one with `fairlead token create`" : `there are ${names.join(", ")}`;
  const hint = suggestHint([nearest(name, names)], otherwise);
  return new CommandError({ code: "not_found", exit: 6 }, { message: `there is no token named ${name}`, hint });
};

export const timeAfter = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** What a new token's owner has to know. */
export const secretNotice =
  "it is shown this once; send it as `authorization: Bearer …`. A running kernel takes it within a second";
