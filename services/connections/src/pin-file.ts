/**
 * Where pins are kept over restarts: one JSON file in the service's own folder, readable by its owner alone, replaced whole. A file
 * that cannot be read pins nothing and is put aside, never overwritten.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Pins } from "./core/pins.ts";

export interface PinStore {
  /** Approved definitions of a connection's tools. */
  of(connection: string): Pins;
  keep(connection: string, pins: Pins): void;
}

const shape = z.record(z.string(), z.record(z.string(), z.string()));

/** @param folder made when something is first kept */
export const openPins = (folder: () => string, warn: (message: string) => void): PinStore => {
  let all: Map<string, Pins> | undefined;
  const file = (): string => join(folder(), "pins.json");

  const load = (): Map<string, Pins> => {
    try {
      return new Map(Object.entries(shape.parse(JSON.parse(readFileSync(file(), "utf8")))));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
      const aside = `${file()}.broken`;
      warn(`the pins of tool definitions could not be read; put aside as ${aside}`);
      renameSync(file(), aside);
      return new Map();
    }
  };

  return {
    of: (connection) => {
      all ??= load();
      return all.get(connection) ?? {};
    },
    keep: (connection, pins) => {
      all ??= load();
      all.set(connection, pins);
      const next = `${file()}.next`;
      writeFileSync(next, JSON.stringify(Object.fromEntries(all)), { mode: 0o600 });
      renameSync(next, file());
    },
  };
};
