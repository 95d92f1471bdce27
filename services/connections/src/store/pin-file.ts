/** Where pins are kept over restarts. */
import * as z from "zod";
import type { Pins } from "../tools/pins.ts";
import { openJsonFile, type StoreLocation } from "./json-file.ts";

export interface PinStore {
  /** Approved definitions of a connection's tools. */
  read(connection: string): Pins;
  write(connection: string, pins: Pins): void;
}

const schema = z.record(
  z.string(),
  z.object({ sha256: z.string(), parts: z.record(z.string(), z.unknown()).optional() }),
);

export const openPins = (place: StoreLocation): PinStore => {
  const file = openJsonFile<Pins>("pins.json", schema, place);
  return { read: (connection) => file.get(connection) ?? {}, write: file.set };
};
