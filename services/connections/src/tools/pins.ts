/**
 * Tool definitions pinned by their hash: the first one seen is taken, a later one that differs is kept back until a user approves
 * it. Pure; where the pins are kept is `store/pin-file.ts`.
 *
 * A pin outlives its tool: one that goes away and comes back different is kept back as well.
 */
import { createHash } from "node:crypto";
import { findChanges, type ToolChange } from "./changes.ts";
import { deepest } from "./clean-schema.ts";

/** A tool as an upstream lists it, unparsed but for its name. */
export type Definition = Readonly<Record<string, unknown>> & { readonly name: string };

/** What was approved of one tool. */
interface Pin {
  readonly sha256: string;
  /** The pinned parts of the definition, to show later what has changed; left out when it is very large. */
  readonly parts?: Readonly<Record<string, unknown>> | undefined;
}

/** Tool names to what was approved. */
export type Pins = Readonly<Record<string, Pin>>;

export interface PinCheck {
  /** What may be shown and called. */
  readonly approved: readonly Definition[];
  /** What differs from its pin, and waits. */
  readonly quarantined: readonly QuarantinedTool[];
  /** The pins with those of tools seen for the first time. */
  readonly pins: Pins;
}

export interface QuarantinedTool {
  readonly tool: string;
  readonly approved: string;
  readonly found: string;
  /** What it says now. */
  readonly definition: Definition;
  /** What differs; empty when what was approved is not known any more. */
  readonly changes: readonly ToolChange[];
}

const pinned = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** Characters of a definition that is still kept whole. */
const mostKept = 65_536;

const pinnedParts = (definition: Definition): Readonly<Record<string, unknown>> =>
  Object.fromEntries(pinned.flatMap((part) => (definition[part] === undefined ? [] : [[part, definition[part]]])));

const createPin = (definition: Definition, sha256: string): Pin => {
  if (isDeep(definition, 0)) return { sha256 };
  const parts = pinnedParts(definition);
  return JSON.stringify(parts).length > mostKept ? { sha256 } : { sha256, parts };
};

const isDeep = (value: unknown, depth: number): boolean =>
  depth > deepest ||
  (typeof value === "object" && value !== null && Object.values(value).some((item) => isDeep(item, depth + 1)));

/** SHA-256 of what a model reads and a client checks by, whatever the order of its members. */
export const hashDefinition = (definition: Definition): string =>
  createHash("sha256")
    .update(JSON.stringify(pinned.map((part) => canonical(definition[part], 0))))
    .digest("hex");

export const checkPins = (pins: Pins, definitions: readonly Definition[]): PinCheck => {
  const known = new Map(Object.entries(pins));
  const approved: Definition[] = [];
  const quarantined: QuarantinedTool[] = [];
  for (const definition of definitions) {
    const found = hashDefinition(definition);
    const pin = known.get(definition.name);
    if (pin === undefined) known.set(definition.name, createPin(definition, found));
    if (pin === undefined || pin.sha256 === found) approved.push(definition);
    else {
      const changes = pin.parts === undefined ? [] : findChanges(pin.parts, pinnedParts(definition));
      quarantined.push({ tool: definition.name, approved: pin.sha256, found, definition, changes });
    }
  }
  return { approved, quarantined, pins: Object.fromEntries(known) };
};

/** The pins with these definitions approved as they are now. */
export const approvePins = (pins: Pins, quarantined: readonly QuarantinedTool[]): Pins =>
  Object.fromEntries([
    ...Object.entries(pins),
    ...quarantined.map((each) => [each.tool, createPin(each.definition, each.found)] as const),
  ]);

/** Members in a fixed order. What nests too deeply is not a schema; it gets one hash for all, and is not shown anyway. */
const canonical = (value: unknown, depth: number): unknown => {
  if (depth > deepest) return "too deep";
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, canonical(item, depth + 1)]);
};
