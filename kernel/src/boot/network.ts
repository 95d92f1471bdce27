/**
 * The kernel on the network: every transport mounted on the one HTTP server.
 */
import { existsSync } from "node:fs";
import { FairleadError } from "@fairlead/contracts";
import type { Config } from "../config/config.ts";
import { followTokens } from "../config/tokens/token-file.ts";
import { kernelHealth } from "../host/health.ts";
import { bearer } from "../server/bearer.ts";
import { bindingRefusal } from "../server/binding.ts";
import { OpenStreams } from "../server/open-streams.ts";
import { Revocations } from "../server/revocations.ts";
import { makeServer } from "../server/server.ts";
import { mountDocs } from "../transport/docs/mount.ts";
import { mount as mountHttp } from "../transport/http/mount.ts";
import { mount as mountMcp } from "../transport/mcp/mount.ts";
import type { Surroundings } from "../transport/transport.ts";
import { mount as mountTrpc } from "../transport/trpc/mount.ts";
import type { Composition } from "./composition.ts";

/** Where a kernel can be reached. */
export interface Addresses {
  readonly http: string;
  readonly trpc: string;
  readonly mcp: string;
  readonly openapi: string;
  readonly port: number;
}

export interface NetworkParts {
  readonly config: Config;
  readonly composition: Composition;
  readonly surroundings: Surroundings;
}

/** Listens as configured. Anything but loopback needs a token. */
export const listen = async ({ config, composition, surroundings }: NetworkParts) => {
  const tokens = followTokens(composition.tokenFile, {
    configured: config.tokens,
    now: performance.now.bind(performance),
    log: surroundings.log,
  });
  const refused = bindingRefusal(config.host, tokens().length);
  if (refused !== undefined) throw new FairleadError(refused);
  const { instances, metrics } = composition;
  // All tokens revoked: the file is still there, and a restart is no way in.
  const authenticate = bearer(tokens, Date.now, !existsSync(composition.tokenFile));
  const streams = new OpenStreams({ revocations: new Revocations(authenticate) });
  const server = makeServer({
    mounts: [
      mountHttp(surroundings, { streams }),
      mountTrpc(surroundings, { streams }),
      mountMcp(surroundings, { streams }),
      ...mountDocs(surroundings, {
        ready: () => kernelHealth(instances),
        metrics: () => metrics.text(processFigures()),
      }),
    ],
    rules: {
      hosts: config.hosts,
      origins: config.origins,
      authenticate,
    },
    log: surroundings.log,
    times: { lag: config.lagMs },
  });
  const { url, port } = await server.listen(config.port, config.host);
  const addresses: Addresses = {
    http: `${url}/api`,
    trpc: `${url}/trpc`,
    mcp: `${url}/mcp`,
    openapi: `${url}/openapi.json`,
    port,
  };
  return { addresses, close: () => server.close() };
};

const processFigures = (): Readonly<Record<string, number>> => ({
  process_resident_memory_bytes: process.memoryUsage.rss(),
  process_uptime_seconds: process.uptime(),
  process_cpu_seconds_total: cpuSeconds(),
});

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};
