/** Tables of properties, by name in any case. */
import type { Type } from "../type/type.ts";

export interface ScalarProperty {
  readonly name: string;
  readonly type: Type;
  readonly read: (value: never) => unknown;
}

export type PropertyTable = ReadonlyMap<string, ScalarProperty>;

export const propertyTable = (rows: readonly (readonly [string, Type, ScalarProperty["read"]])[]): PropertyTable =>
  new Map(rows.map(([name, type, read]) => [name.toLowerCase(), { name, type, read }]));
