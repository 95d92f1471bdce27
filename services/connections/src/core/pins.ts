/**
 * Tool definitions pinned by their hash: the first one seen is taken, a later one that differs is kept back until somebody approves
 * it. Pure; where the pins are kept is `pin-file.ts`.
 *
 * A pin outlives its tool: one that goes away and comes back different is kept back as well.
 */
import { createHash } from "node:crypto";
import { deepest } from "./clean-text.ts";

/** A tool as an upstream lists it, unparsed but for its name. */
export type Definition = Readonly<Record<string, unknown>> & { readonly name: string };

/** Tool names to the hash of the approved definition. */
export type Pins = Readonly<Record<string, string>>;

export interface Judged {
  /** What may be shown and called. */
  readonly approved: readonly Definition[];
  /** What differs from its pin, and waits. */
  readonly quarantined: readonly Quarantined[];
  /** The pins with those of tools seen for the first time. */
  readonly pins: Pins;
}

export interface Quarantined {
  readonly tool: string;
  readonly approved: string;
  readonly found: string;
  /** Which parts of the definition differ cannot be told from a hash; this is what it says now. */
  readonly definition: Definition;
}

const pinned = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** SHA-256 of what a model reads and a client checks by, whatever the order of its members. */
export const digestOf = (definition: Definition): string =>
  createHash("sha256")
    .update(JSON.stringify(pinned.map((part) => canonical(definition[part], 0))))
    .digest("hex");

export const judge = (pins: Pins, definitions: readonly Definition[]): Judged => {
  const known = new Map(Object.entries(pins));
  const approved: Definition[] = [];
  const quarantined: Quarantined[] = [];
  for (const definition of definitions) {
    const found = digestOf(definition);
    const pin = known.get(definition.name);
    if (pin === undefined) known.set(definition.name, found);
    if (pin === undefined || pin === found) approved.push(definition);
    else quarantined.push({ tool: definition.name, approved: pin, found, definition });
  }
  return { approved, quarantined, pins: Object.fromEntries(known) };
};

/** The pins with these definitions approved as they are now. */
export const approve = (pins: Pins, quarantined: readonly Quarantined[]): Pins =>
  Object.fromEntries([...Object.entries(pins), ...quarantined.map(({ tool, found }) => [tool, found] as const)]);

/** Members in a fixed order. What nests too deeply is no schema; it gets one hash for all, and is not shown anyway. */
const canonical = (value: unknown, depth: number): unknown => {
  if (depth > deepest) return "too deep";
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, canonical(item, depth + 1)]);
};
