/**
 * What a process of a fleet says of itself, again and again: who it is, where, of which version, what it runs and how busy it is. Pure.
 *
 * Not here: how it is carried and signed (`nats/announcement.ts`), and who was heard (`roster.ts`).
 */
import * as z from "zod";

const name = z.string().min(1).max(120);

/** One place of keys: the number of all and which one, from 1. */
const placeSchema = z.object({ places: z.int().min(1), place: z.int().min(1) });
export type FleetPlace = z.output<typeof placeSchema>;

const claimSchema = placeSchema.extend({
  /** Later claims have higher ones: who has a lower one is not its owner any more. */
  epoch: z.int().min(1),
});
export type PlaceClaim = z.output<typeof claimSchema>;

const ownerSchema = claimSchema.extend({
  instance: name,
  name,
  /** Milliseconds since it was last heard. */
  quietMs: z.number().min(0),
});
export type OwnerReport = z.output<typeof ownerSchema>;

export const nodeSchema = z.object({
  /** Of this life of the process; another one has another. */
  instance: name,
  name,
  role: z.enum(["kernel", "worker"]),
  /** Name of its machine. */
  host: z.string().max(255),
  pid: z.int(),
  /** Of the kernel's package. */
  version: z.string().max(40),
  /** Milliseconds since 1970. */
  started: z.int(),
  state: z.enum(["Ready", "Draining", "Stopped"]),
  /** Calls and streams that are with it. */
  calls: z.int().min(0),
  /** Services that it takes calls of, or calls. */
  services: z.array(z.object({ id: name, version: z.string().max(40) })).max(1_000),
  claim: claimSchema.optional(),
  /** Of one that calls: who has which place, as far as it knows. */
  owners: z.array(ownerSchema).max(1_024).optional(),
});

export type FleetNode = z.output<typeof nodeSchema>;
