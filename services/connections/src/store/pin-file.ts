/** Where pins are kept over restarts. */
import * as z from "zod";
import type { Pins } from "../tools/pins.ts";
import { keptFile, type Place } from "./json-file.ts";

export interface PinStore {
  /** Approved definitions of a connection's tools. */
  of(connection: string): Pins;
  keep(connection: string, pins: Pins): void;
}

const schema = z.record(
  z.string(),
  z.object({ sha256: z.string(), parts: z.record(z.string(), z.unknown()).optional() }),
);

export const openPins = (place: Place): PinStore => {
  const file = keptFile<Pins>("pins.json", schema, place);
  return { of: (connection) => file.get(connection) ?? {}, keep: file.set };
};
