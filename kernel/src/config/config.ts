/**
 * Configuration: one schema for file, environment and flags, in rising order of precedence. Unknown keys are refused with the
 * nearest known one. Pure: reading the file is the caller's business.
 */
import { join } from "node:path";
import { type DecodeResult, decoder, FairleadError, genConfigSchema, type Issue, secret } from "@fairlead/contracts";
import * as z from "zod";
import { isRecord } from "../call/record.ts";
import { defaultStateDir } from "../owner/places.ts";
import { type Environment, unknownVariables, variablesIn } from "./environment.ts";
import { conflictIn, identitySchema, tokenSchema } from "./tokens/token.ts";

const origin = z.string().regex(/^https?:\/\/[^/?#\s]+$/, "an origin like https://app.example.com");

const ms = z
  .number()
  .positive()
  .max(2 ** 31 - 1)
  .optional();

/** One service under `supervision`: each setting overrides what its author declared. */
const supervisionSchema = z.strictObject({
  startTimeoutMs: ms.describe("Milliseconds that a start may take; 30,000 by default."),
  graceMs: z
    .number()
    .min(0)
    .max(2 ** 31 - 1)
    .optional()
    .describe("Milliseconds for running calls to finish; 3,000 by default."),
  stopTimeoutMs: ms.describe("Milliseconds that releasing is waited for; 5,000 by default."),
  intensity: z
    .strictObject({ restarts: z.int().min(0).optional(), withinMs: ms })
    .optional()
    .describe("Quick restarts that are borne in a window; 5 in 60,000 ms by default."),
  exceeded: z
    .enum(["retry", "stay_down", "escalate"])
    .optional()
    .describe("What one restart more does: go on slowly (the default), stay down, or end the kernel."),
  backoff: z
    .strictObject({ baseMs: ms, capMs: ms, slowMs: ms, healthyMs: ms })
    .optional()
    .describe(
      "Pauses between restarts: base, cap, cap of slow ones, health that resets them; 100, 3,000, 30,000, 10,000.",
    ),
  required: z.boolean().optional().describe("Whether `/readyz` is 503 while it is not ready; false by default."),
  startAfter: z.array(z.string()).optional().describe("Services that must be ready first; none by default."),
  restartWith: z.array(z.string()).optional().describe("Services whose restart restarts this one; none by default."),
});

const file = z.string().min(1).optional();

/** Addresses without credentials: what is in an address is in every log. */
const natsServer = z
  .string()
  .regex(
    /^(?:(?:nats|tls):\/\/)?[^\s/@?#]{1,255}$/,
    "an address like nats://127.0.0.1:4222, without a user or a password",
  );

const natsSchema = z.strictObject({
  servers: z
    .union([natsServer, z.array(natsServer).min(1)])
    .optional()
    .describe("Addresses of NATS servers of one cluster. Required."),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,60}$/, "letters, digits, - and _")
    .default("fairlead")
    .describe("What all subjects begin with: kernels of the same prefix are one fleet."),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,60}$/, "letters, digits, - and _")
    .optional()
    .describe("Name of this worker; its host and process id when left out."),
  places: z
    .int()
    .min(1)
    .max(1_024)
    .optional()
    .describe(
      "Places that keys belong to, the same for the whole fleet; keyed procedures do not go over NATS when left out.",
    ),
  place: z.int().min(1).optional().describe("The place of this worker, from 1; it takes no keyed calls when left out."),
  trust: z
    .enum(["secret", "account"])
    .default("secret")
    .describe("Whether calls are signed with the secret, or any client of the NATS account may call as anybody."),
  secretFile: file.describe(
    "File with the secret that calls and answers are signed with, the same for the whole fleet; else `FAIRLEAD_NATS_SECRET`.",
  ),
  credentialsFile: file.describe("Credentials of a user: a JWT and its seed, as `nsc` writes them."),
  nkeyFile: file.describe("Seed of an nkey."),
  tokenFile: file.describe("Token for the server."),
  user: z.string().min(1).optional().describe("Name for the server, with `passwordFile`."),
  passwordFile: file.describe("Password for the server."),
  tls: z
    .strictObject({
      caFile: file.describe("Certificates of authorities to trust."),
      certFile: file.describe("Certificate of this client."),
      keyFile: file.describe("Key of that certificate."),
      handshakeFirst: z.boolean().optional().describe("True where the server expects TLS from the first byte on."),
    })
    .optional()
    .describe("TLS; the server's wish when left out."),
});

const postgresSchema = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("Name or address of the server, or the folder of its socket."),
  port: z.int().min(1).max(65_535).default(5_432).describe("Its port."),
  database: z.string().min(1).default("fairlead").describe("Database."),
  user: z.string().min(1).default("fairlead").describe("User, who may create tables in the schema at the first start."),
  passwordFile: file.describe("File with its password; else `FAIRLEAD_STORE_PASSWORD`."),
  schema: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,59}$/, "lower-case letters, digits and _")
    .default("fairlead")
    .describe("Schema for the tables: kernels of the same one share what is in it."),
  tls: z
    .strictObject({
      caFile: file.describe("Certificates of authorities to trust; those of Node when left out."),
      certFile: file.describe("Certificate of this client."),
      keyFile: file.describe("Key of that certificate."),
    })
    .optional()
    .describe("TLS, with a certificate that is checked; none when left out."),
});

const hostAndPort = z
  .string()
  .regex(
    /^(?:\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253}):(?:0|[1-9]\d{0,4})$/,
    "an address with a port, like 10.0.0.5:5100",
  );

const clusterSchema = z.strictObject({
  listen: hostAndPort.optional().describe("Address and port at which this node takes calls of others. Required."),
  advertise: hostAndPort.optional().describe("Address and port by which others reach it; `listen` when left out."),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,60}$/, "letters, digits, ., - and _")
    .optional()
    .describe("Name of this node, for people; its host and process id when left out."),
  secretFile: z
    .string()
    .min(1)
    .optional()
    .describe(
      "File with the secret that calls between nodes are signed with, the same for all; else `FAIRLEAD_CLUSTER_SECRET`.",
    ),
  expiryMs: z
    .int()
    .min(2_000)
    .max(60_000)
    .default(5_000)
    .describe("Milliseconds after which another node takes the keys of one that is not heard of."),
});

/** What `fairlead.config.ts` may hold. */
export const configSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address to bind. Anything but loopback needs a token or an identity provider."),
  port: z.int().min(0).max(65_535).default(5_099).describe("Port to bind; 0 lets the system choose."),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Further names that the Host header may have, with their port."),
  origins: z.array(origin).default([]).describe("Browser origins that may call; none by default."),
  tokens: z.array(tokenSchema).default([]).describe("Bearer tokens, hashed. With none, loopback needs no token."),
  services: z.record(z.string(), z.unknown()).default({}).describe("A section for each service, by its id."),
  supervision: z
    .record(z.string(), supervisionSchema)
    .default({})
    .describe(
      "How services are started, stopped and restarted, by id; what is left out is as the service declares it.",
    ),
  placement: z
    .record(z.string(), z.enum(["local", "thread"]))
    .default({})
    .describe(
      "Where services run, by id: on the kernel's event loop, or in a thread; as the service declares it by default.",
    ),
  workers: z
    .union([z.literal("auto"), z.int().min(1).max(256)])
    .optional()
    .describe(
      "Processes for each service that has procedures which may run beside the kernel; `auto` is one for each core. None when left out.",
    ),
  sharedPort: z
    .boolean()
    .default(false)
    .describe(
      "True where as many further processes as there are workers answer HTTP calls of `stateless` procedures at the kernel's own port. Needs `workers`.",
    ),
  nats: natsSchema
    .optional()
    .describe(
      "NATS, over which procedures that may run elsewhere are called and `fairlead worker` takes them; none when left out.",
    ),
  cluster: clusterSchema
    .optional()
    .describe("Other kernels, with which it shares the keys of keyed procedures. Needs `store`; none when left out."),
  store: z
    .strictObject({ postgres: postgresSchema.describe("PostgreSQL that several kernels share.") })
    .optional()
    .describe("Where answers of idempotency keys are kept; the state folder when left out."),
  only: z.array(z.string()).optional().describe("Services to run; all when left out."),
  manifest: z.string().optional().describe("Path of the generated manifest; no services when left out."),
  profiles: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "a name of lower-case letters, digits and -"),
      z.strictObject({
        services: z.array(z.string()).optional().describe("Tools of these services only."),
        tools: z.array(z.string()).optional().describe("Only tools of these names."),
        readOnly: z.boolean().optional().describe("Only tools that say they change nothing."),
        full: z.boolean().optional().describe("Every tool is listed, with all that its contract says."),
      }),
    )
    .default({})
    .describe(
      "Choices of MCP tools by name: `/mcp?profile=<name>`. They choose what is offered, and do not protect: tokens do.",
    ),
  lagMs: z
    .number()
    .positive()
    .default(200)
    .describe(
      "Event loop lag, in milliseconds, above which requests wait in a fair queue; they are refused as overload once it has grown for 2.5 times as long.",
    ),
  admin: z
    .strictObject({ port: z.int().min(0).max(65_535).describe("Port of loopback; 0 lets the system choose.") })
    .optional()
    .describe("A listener of its own for probes, metrics and shutdown, beside the Unix socket in the state folder."),
  identity: identitySchema
    .optional()
    .describe("An OAuth 2.1 provider whose tokens are accepted beside our own; none when left out."),
  stateDir: z.string().optional().describe("Folder for what must survive a restart."),
  log: z
    .strictObject({
      level: z.enum(["debug", "info", "warn", "error"]).default("info"),
      calls: z.enum(["changes", "all"]).default("changes"),
    })
    .prefault({}),
  otlp: z
    .strictObject({
      url: z.url().describe("Base address of an OTLP/HTTP collector."),
      headers: z.record(z.string(), z.string()).meta(secret).default({}).describe("Headers to send along."),
    })
    .optional()
    .describe("Where spans go; nowhere when left out."),
  gen: genConfigSchema.optional().describe("For `fairlead gen`; checked here, so that no mistake waits for it."),
});

/** A configuration with all its defaults, as `readConfig` gives it. */
export type Config = z.output<typeof configSchema>;
/** A configuration as it is written: every member is optional. */
export type ConfigInput = z.input<typeof configSchema>;
/** How NATS is reached, where it is configured. Here, since what names it must not name NATS's client: that is installed by who uses it. */
export type NatsSettings = NonNullable<Config["nats"]>;
export type { IdentityConfig } from "./tokens/token.ts";
export type ClusterSettings = NonNullable<Config["cluster"]>;
export type PostgresSettings = NonNullable<Config["store"]>["postgres"];

/** Names a configuration in `fairlead.config.ts` and types it. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;

const decode = decoder<Config>(configSchema);

interface ConfigSources {
  /** What the configuration file exports. */
  readonly file?: unknown;
  readonly env?: Environment;
  /** From the command line; wins. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

/**
 * One configuration out of its sources. Throws a `FairleadError` (`invalid_argument`) naming every wrong value where it was given,
 * also one that another source overrides.
 */
export const readConfig = ({ file = {}, env = {}, flags = {} }: ConfigSources): Config => {
  if (!isRecord(file)) throw wrongConfiguration([{ path: "", expected: "an object", fix: "export an object" }]);
  const given = variablesIn(env);
  const wrong = given.filter(({ settings }) => !decode(settings).ok);
  const set = given
    .filter((variable) => !wrong.includes(variable))
    .reduce<Settings>((all, { settings }) => onTop(all, settings), {});
  const issues = [
    ...unknownVariables(env),
    ...wrong.map((variable) => variable.wrong),
    ...toIssues(decode(onTop(set, file))),
    ...toIssues(decode(flags)),
  ];
  if (issues.length > 0) throw wrongConfiguration(issues);
  const decoded = decode(onTop(onTop(file, set), flags));
  if (!decoded.ok) throw wrongConfiguration(decoded.issues);
  refuseConflict(decoded.value);
  refuseIncomplete(decoded.value);
  return decoded.value;
};

const toIssues = (decoded: DecodeResult<Config>): readonly Issue[] => (decoded.ok ? [] : decoded.issues);

type Settings = Readonly<Record<string, unknown>>;

/** The settings of both, member by member; the upper ones win. */
const onTop = (lower: Settings, upper: Settings): Settings => ({
  ...lower,
  ...Object.fromEntries(
    Object.entries(upper).map(([key, value]) => {
      const under = lower[key];
      return [key, isRecord(value) && isRecord(under) ? onTop(under, value) : value];
    }),
  ),
});

/** A token's name is its principal, with one rate and one set of idempotency keys. */
const refuseConflict = ({ tokens }: Config): void => {
  const at = conflictIn(tokens);
  if (at === -1) return;
  throw wrongConfiguration([
    {
      path: `tokens[${at}].name`,
      expected: "a name that no other token has, or the same rights as that one",
      fix: "rename one of them, or give both the same access, services and rate",
    },
  ]);
};

/** What only all sources together can have: each of them may give a part. */
const refuseIncomplete = (config: Config): void => {
  const missing = findMissing(config);
  if (missing !== undefined) throw wrongConfiguration([missing]);
  const { nats, sharedPort } = config;
  if (nats === undefined) return;
  // Processes at the shared port answer by themselves what is to go to workers.
  if (sharedPort)
    throw wrongConfiguration([
      { path: "sharedPort", expected: "false where `nats` is configured", fix: "remove one of them" },
    ]);
  const { servers, places, place } = nats;
  const fix = "complete or remove it";
  if (servers === undefined)
    throw wrongConfiguration([{ path: "nats.servers", expected: "an address like nats://127.0.0.1:4222", fix }]);
  if (place !== undefined && place > (places ?? 0))
    throw wrongConfiguration([
      { path: "nats.place", expected: `a place from 1 to nats.places, ${places ?? "which is missing"}`, fix },
    ]);
};

/** What is missing beside a cluster, or must not be there: each of them would give a key another owner. */
const findMissing = ({ cluster, store, nats, workers }: Config): Issue | undefined => {
  if (cluster === undefined) return undefined;
  const wrong = (path: string, expected: string): Issue => ({
    path,
    expected,
    fix: "complete it, or remove `cluster`",
  });
  if (cluster.listen === undefined) return wrong("cluster.listen", "an address of this machine, like 10.0.0.5:5100");
  if (store === undefined) return wrong("store.postgres", "the PostgreSQL that all nodes of the cluster share");
  if (workers !== undefined) return wrong("workers", "none where `cluster` is configured");
  if (nats?.places !== undefined)
    return wrong("nats.places", "none where `cluster` is configured: a key has one owner");
  return undefined;
};

/** What a configuration got wrong, wherever that was found. */
export const wrongConfiguration = (issues: readonly Issue[]): FairleadError =>
  new FairleadError({
    code: "invalid_argument",
    message: `the configuration has ${issues.length === 1 ? "an error" : `${issues.length} errors`}`,
    hint: "the README of the package `fairlead` lists all settings",
    issues: issues.slice(0, 20),
  });

/** Where `fairlead token` keeps tokens, and a kernel looks for them. */
export const tokenFilePath = (config: Pick<Config, "stateDir">, env: Environment): string =>
  join(config.stateDir ?? defaultStateDir(env), "tokens.json");
