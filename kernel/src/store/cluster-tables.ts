/**
 * The tables of a cluster: its nodes, who owns which shard, and the state of sessions. Apart from those of answers, so that a store without a cluster needs no
 * more rights than before.
 */
import type { TableSteps } from "./schema.ts";

export const clusterSteps: TableSteps = {
  table: "cluster_steps",
  steps: [
    `CREATE TABLE SCHEMA.nodes (
       id uuid PRIMARY KEY,
       name text NOT NULL,
       address text NOT NULL,
       proof text NOT NULL,
       leaving boolean NOT NULL,
       expires timestamptz NOT NULL
     )`,
    // The second key makes a new epoch a change of what writes of sessions lock, and a renewal none.
    `CREATE TABLE SCHEMA.shards (
       shard int PRIMARY KEY,
       node uuid,
       epoch int NOT NULL,
       expires timestamptz NOT NULL,
       UNIQUE (shard, epoch)
     )`,
    "INSERT INTO SCHEMA.shards (shard, epoch, expires) SELECT shard, 0, '-infinity' FROM generate_series(0, 127) AS shard",
    `CREATE TABLE SCHEMA.sessions (
       service text COLLATE "C" NOT NULL,
       key text COLLATE "C" NOT NULL,
       epoch int NOT NULL,
       version int NOT NULL,
       written uuid NOT NULL,
       state text NOT NULL,
       at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (service, key)
     )`,
  ],
};
