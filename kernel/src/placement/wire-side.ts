/**
 * What crosses a border is on the wire side of the contract, which every border can carry; where the contract has no codecs both sides are
 * the same. Here is who decodes what on the way back. Not here: dispatch, which checks and encodes every output itself.
 */
import { decoder, encodingSchema, FairleadError, type Procedure, type Schema } from "@fairlead/contracts";

/** Whether the wire side of a schema differs from its values. */
export const hasWireSide = (schema: Schema): boolean => encodingSchema(schema) !== schema;

/** A value from its wire side. Throws for what the other side should not have sent. */
export const fromWire = (schema: Schema, wire: unknown): unknown => {
  if (!hasWireSide(schema)) return wire;
  const decoded = decoder(schema)(wire);
  if (decoded.ok) return decoded.value;
  const [issue] = decoded.issues;
  throw new Error(
    `what came from the other side is not what the contract says: ${issue?.path ?? ""} ${issue?.expected ?? ""}`,
  );
};

/** A declared error with its data as a handler would have given it. */
export const errorFromWire = ({ errors }: Procedure, error: FairleadError): FairleadError => {
  const data = error.reason === undefined ? undefined : errors?.[error.reason]?.data;
  if (data === undefined || !hasWireSide(data)) return error;
  return new FairleadError({ ...error.toJSON(), data: fromWire(data, error.data) }, { cause: error });
};
