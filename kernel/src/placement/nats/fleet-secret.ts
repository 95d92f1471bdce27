/** The secret that the peers of a fleet sign with, from its variable or its file. Not here: signatures (`../wire/signature.ts`). */
import { readFileSync } from "node:fs";
import { FairleadError } from "@fairlead/contracts";
import { type NatsSettings, wrongConfiguration } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";

/** None where the accounts of NATS are trusted. */
export const fleetSecret = ({ secretFile, trust }: NatsSettings, env: Environment): string | undefined => {
  if (trust === "account") return undefined;
  const given = env.FAIRLEAD_NATS_SECRET ?? (secretFile === undefined ? undefined : readSecret(secretFile));
  if (given === undefined)
    throw new FairleadError({
      code: "failed_precondition",
      message: "calls over NATS are signed, and no secret is configured",
      hint: 'give all peers the same FAIRLEAD_NATS_SECRET, or say `nats: { trust: "account" }` where every client of that NATS account may call as anybody',
    });
  if (given.length >= 16) return given;
  throw new FairleadError({
    code: "failed_precondition",
    message: "the secret for NATS is too short",
    hint: "use at least 16 random characters, like `openssl rand -hex 32` makes",
  });
};

const readSecret = (path: string): string => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    const fix = `look at ${path}: ${(cause as NodeJS.ErrnoException).code ?? "it failed"}`;
    throw wrongConfiguration([{ path: "nats.secretFile", expected: "a file that this user can read", fix }]);
  }
};
