/**
 * What `fairlead doctor` finds of NATS: whether it is reached with these credentials, its version, what this user may say and hear there, its limits, how long it
 * takes to answer, and whether what goes there is encrypted. The server has no clock to ask.
 */
import {
  type ConnectionOptions,
  connect,
  type NatsConnection,
  nuid,
  PermissionViolationError,
} from "@nats-io/transport-node";
import type { NatsSettings } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { OutsideView } from "../../observe/outside-view.ts";
import { toOptions, unreachable } from "./connection.ts";
import { type NatsCredentials, readCredentials } from "./credentials.ts";
import { fleetSecret } from "./fleet-secret.ts";
import { callSubject, controlSubject } from "./subjects.ts";

type Finding = OutsideView["problems"][number];

/** Milliseconds for an answer above which every call over it is felt. */
const slowMs = 20;
/** Milliseconds before the end of a certificate at which to say so. */
const soonMs = 14 * 86_400_000;
/** Bytes in a message that inputs of contracts have by default. */
const usualBytes = 1_048_576;
/** The oldest version that the suite was run with. */
const leastVersion = [2, 9] as const;

/** Throws a `FairleadError` where it cannot be reached or refuses these credentials. */
export const examineNats = async (settings: NatsSettings, env: Environment): Promise<OutsideView> => {
  fleetSecret(settings, env);
  const credentials = readCredentials(settings, env);
  const servers = [settings.servers ?? []].flat();
  const options = { ...toOptions(settings, "fairlead doctor", env), reconnect: false, maxReconnectAttempts: 0 };
  const connection = await open(servers, options);
  try {
    await connection.rtt();
    const milliseconds = await connection.rtt();
    const { version = "", max_payload: most = 0, tls_required: isSealed = false } = connection.info ?? {};
    const isEncrypted = isSealed || credentials.tls !== undefined;
    const known = connection.info?.connect_urls?.length ?? 0;
    const cluster = known > 1 ? `, one of ${known}` : "";
    return {
      detail: `nats-server ${version} at ${connection.getServer()}${cluster}${isEncrypted ? " over TLS" : ""}, answers in ${milliseconds} ms, carries ${most} bytes in a message`,
      problems: [
        ...(await refusedRights(connection, settings)),
        ...(await unreached(servers, options)),
        ...age(version),
        ...readable(servers, isEncrypted),
        ...endSoon(credentials),
        ...found(most < usualBytes, {
          detail: `it carries ${most} bytes in a message, and contracts allow inputs of ${usualBytes} unless they say otherwise`,
          fix: `set max_payload: ${usualBytes * 2} in its configuration, or send less at a time`,
        }),
        ...found(milliseconds > slowMs, {
          detail: `it takes ${milliseconds} ms to answer`,
          fix: "run it near the kernels",
        }),
      ],
    };
  } finally {
    await connection.close();
  }
};

/** The first of the list that lets it in. */
const open = async (servers: readonly string[], options: ConnectionOptions): Promise<NatsConnection> => {
  let last: unknown;
  for (const server of servers)
    try {
      return await connect({ ...options, servers: [server] });
    } catch (cause) {
      last = cause;
    }
  throw unreachable(servers.join(", "), last);
};

const found = (is: boolean, problem: Omit<Finding, "isFatal">): readonly Finding[] =>
  is ? [{ isFatal: false, ...problem }] : [];

interface NeededRight {
  readonly verb: "publish to" | "subscribe to";
  /** One of the subjects that it is about, of no service, so that no worker takes it. */
  readonly subject: string;
  /** All of them. */
  readonly all: string;
  readonly who: "a kernel that calls" | "a worker";
}

const neededRights = (prefix: string): readonly NeededRight[] => {
  const address = { prefix, service: "fairlead-doctor", procedure: "none", digest: "0" };
  const call = { subject: callSubject(address), all: `${prefix}.call.>` };
  const control = { subject: controlSubject(prefix, address.service), all: `${prefix}.control.>` };
  const inbox = { subject: `_INBOX.${nuid.next()}`, all: "_INBOX.>" };
  const [caller, worker] = ["a kernel that calls", "a worker"] as const;
  return [
    { verb: "publish to", ...call, who: caller },
    { verb: "publish to", ...control, who: caller },
    { verb: "subscribe to", ...inbox, who: caller },
    { verb: "subscribe to", ...call, who: worker },
    { verb: "subscribe to", ...control, who: worker },
    { verb: "publish to", ...inbox, who: worker },
  ];
};

/** What a kernel and a worker say and hear, tried: the server answers each that it does not allow. */
const refusedRights = async (connection: NatsConnection, { prefix }: NatsSettings): Promise<readonly Finding[]> => {
  const refused = new Set<string>();
  const statuses = connection.status();
  const collect = async (): Promise<void> => {
    for await (const status of statuses) {
      if (status.type !== "error" || !(status.error instanceof PermissionViolationError)) continue;
      const { operation, subject } = status.error;
      refused.add(`${operation === "publish" ? "publish to" : "subscribe to"} ${subject}`);
    }
  };
  void collect();
  const needed = neededRights(prefix);
  for (const { verb, subject } of needed)
    if (verb === "publish to") connection.publish(subject);
    else connection.subscribe(subject, { callback: () => undefined });
  await connection.flush();
  // A round trip more: what was refused comes before its answer.
  await connection.rtt();
  return needed
    .filter(({ verb, subject }) => refused.has(`${verb} ${subject}`))
    .map(({ verb, all, who }) => ({
      isFatal: who === "a kernel that calls",
      detail: `this user may not ${verb} ${all}, which ${who} has to`,
      fix: `allow it to ${verb} ${all} in the server's permissions, or in its account`,
    }));
};

/** Servers of the list that do not answer: the fleet lives without them, until the others fail. */
const unreached = async (servers: readonly string[], options: ConnectionOptions): Promise<readonly Finding[]> => {
  if (servers.length < 2) return [];
  const looks = servers.map(async (server) => {
    try {
      await (await connect({ ...options, servers: [server] })).close();
      return [];
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const fix = "start it, or remove it from `nats.servers`";
      return [{ isFatal: false, detail: `${server} of the list cannot be reached: ${why}`, fix }];
    }
  });
  return (await Promise.all(looks)).flat();
};

const age = (version: string): readonly Finding[] => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1]);
  return found(isOld, {
    detail: `version ${version} is older than any that was tried`,
    fix: `use nats-server ${leastVersion.join(".")} or newer`,
  });
};

const readable = (servers: readonly string[], isEncrypted: boolean): readonly Finding[] => {
  const isHere = servers.every((server) => /^(?:\w+:\/\/)?(?:127\.|localhost|\[::1\])/.test(server));
  return found(!isEncrypted && !isHere, {
    detail:
      "calls and answers go over the network unencrypted: they are signed, and whoever is on the way can read them",
    fix: "give the server a certificate, and `nats.tls.caFile` its authority",
  });
};

const endSoon = ({ certificateEnds }: NatsCredentials): readonly Finding[] =>
  certificateEnds === undefined
    ? []
    : found(certificateEnds < Date.now() + soonMs, {
        detail: `the certificate in nats.tls.certFile ends on ${new Date(certificateEnds).toISOString()}`,
        fix: "renew it: the file is read again for the next connection",
      });
