/**
 * Values instead of the wire form for a caller that has the contract: `withValues(descriptor, contract)` is a descriptor whose client takes and gives
 * what the service works with, a `Date` where JSON has a text. Without it a client has the wire form, and needs neither the contract nor Zod.
 *
 * Not here: the client, which knows nothing of schemas.
 */
import type { Contract, DeclaredErrors, HandlerOutput } from "./contract.ts";
import { type DecodeResult, decoder } from "./decoder.ts";
import { encoder } from "./encoder.ts";
import { FairleadError } from "./error.ts";
import type { Procedure } from "./procedure.ts";
import type { SchemaOutput } from "./schema/schema.ts";

/** How the values of one procedure become their wire form, and back. */
export interface ValueCodec {
  /** The value side of an input to its wire side. Throws `invalid_argument` with the places of what does not fit. */
  readonly encodeInput: (value: unknown) => unknown;
  /** The wire side of an output, or of one event, to its value side. Throws `internal` where a server gives something else. */
  readonly decodeOutput: (wire: unknown) => unknown;
}

/** The types of a contract's procedures in values, for `createClient`. Errors stay as they are on the wire. */
export type ValueTypes<C extends Contract> = {
  [N in keyof C["procedures"]]: {
    readonly kind: C["procedures"][N]["kind"];
    readonly input: SchemaOutput<C["procedures"][N]["input"]>;
    readonly output: HandlerOutput<C["procedures"][N]>;
    readonly errors: DeclaredErrors<C["procedures"][N]>;
  };
};

interface Descriptor {
  readonly procedures: Readonly<Record<string, object>>;
}

/** A descriptor with the codecs of its contract. Throws for a procedure that the contract does not have. */
export const withValues = <D extends Descriptor>(descriptor: D, contract: Contract): D => {
  const procedures = Object.entries(descriptor.procedures).map(([name, each]) => {
    const procedure = contract.procedures[name];
    if (procedure === undefined)
      throw new TypeError(`the contract ${contract.id} has no procedure ${name}: generate the client again`);
    return [name, { ...each, values: valueCodec(procedure) }] as const;
  });
  return { ...descriptor, procedures: Object.fromEntries(procedures) };
};

const valueCodec = ({ input, output }: Procedure): ValueCodec => {
  const [encode, decode] = [encoder<unknown>(input), decoder<unknown>(output)];
  return {
    encodeInput: (value) => resultValue(encode(value), "invalid_argument", "the input is not what the contract takes"),
    decodeOutput: (wire) => resultValue(decode(wire), "internal", "the output is not what the contract gives"),
  };
};

const resultValue = (
  result: DecodeResult<unknown>,
  code: "invalid_argument" | "internal",
  message: string,
): unknown => {
  if (result.ok) return result.value;
  throw new FairleadError({ code, message, issues: result.issues });
};
