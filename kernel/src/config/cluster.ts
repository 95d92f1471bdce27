/** What a configuration says of a cluster: its schema, and what it needs in addition. Not here: the other settings (`config.ts`). */
import type { Issue } from "@fairlead/contracts";
import * as z from "zod";

const hostAndPort = z
  .string()
  .regex(
    /^(?:\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253}):(?:0|[1-9]\d{0,4})$/,
    "an address with a port, like 10.0.0.5:5100",
  );

export const clusterSchema = z.strictObject({
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

interface ClusterNeeds {
  readonly cluster?: z.output<typeof clusterSchema> | undefined;
  readonly store?: unknown;
  readonly workers?: unknown;
  readonly nats?: { readonly places?: number | undefined } | undefined;
}

/** What is missing beside a cluster, or must not be there: each of them would give a key another owner. */
export const findMissing = ({ cluster, store, nats, workers }: ClusterNeeds): Issue | undefined => {
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
