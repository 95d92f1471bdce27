/** Enums: names for numbers. */

export interface EnumDefinition {
  readonly kind: "enum";
  readonly name: string;
  readonly fullName: string;
  /** True for `[Flags]`: values combine. */
  readonly flags: boolean;
  /** Type of the number below, like `Int32` or `Byte`. */
  readonly underlying: string;
  readonly values: ReadonlyMap<string, number>;
}

/** A value that knows its enum, for places where no static type does. */
export class EnumValue {
  readonly #enumValue = true;
  readonly definition: EnumDefinition;
  readonly value: number;

  constructor(definition: EnumDefinition, value: number) {
    this.definition = definition;
    this.value = value;
  }

  /** Tests a private field, so that no proxy or prototype of the value runs code. */
  static is(value: unknown): value is EnumValue {
    return typeof value === "object" && value !== null && #enumValue in value;
  }
}

/** A name's number; exact spelling first, then any case. Flags may be a list: `"Moving, Dead"`. */
export const enumNumber = (definition: EnumDefinition, name: string): number | undefined => {
  const exact = definition.values.get(name);
  if (exact !== undefined) return exact;
  if (definition.flags && name.includes(",")) {
    let sum = 0;
    for (const part of name.split(",")) {
      const value = enumNumber(definition, part.trim());
      if (value === undefined) return undefined;
      sum |= value;
    }
    return sum;
  }
  const lower = name.toLowerCase();
  for (const [known, value] of definition.values) if (known.toLowerCase() === lower) return value;
  return undefined;
};

/** The name of a number; for flags the names that make it up; else the number. */
export const enumName = (definition: EnumDefinition, value: number): string => {
  for (const [name, known] of definition.values) if (known === value) return name;
  if (!definition.flags || value === 0) return String(value);
  let left = value;
  const names: string[] = [];
  for (const [name, known] of [...definition.values].sort(([, a], [, b]) => b - a)) {
    if (known === 0 || (left & known) !== known) continue;
    names.unshift(name);
    left &= ~known;
  }
  return left === 0 ? names.join(", ") : String(value);
};
