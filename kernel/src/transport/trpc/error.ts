/**
 * An error as tRPC clients get it: tRPC's own shape, with the envelope in `data.error`. Short, whatever was called.
 */
import { codes, type WireError } from "@fairlead/contracts";
import { errorBytes, fitted } from "../../limits/fit.ts";

export interface ShapeOptions {
  /** Where the transport knows better than the code table. */
  readonly status?: number | undefined;
  /** What was called, as sent; left out of the shape when it can be no procedure's name. */
  readonly path?: string | undefined;
  /** Bytes that the shape may have as JSON. */
  readonly bytes?: number | undefined;
}

const possibleName = /^[\w.]{1,128}$/;
/** Bytes around a shape: `{"error":}` and, in a batch, a comma. */
const around = 12;

export const errorShape = (error: WireError, { status, path, bytes = errorBytes() }: ShapeOptions = {}) => {
  const { http, jsonrpc, trpc } = codes[error.code];
  const place = path !== undefined && possibleName.test(path) ? { path } : {};
  return fitted(error, bytes - around, (fit) => ({
    message: fit.message,
    code: jsonrpc,
    data: { code: trpc, httpStatus: status ?? http, ...place, error: fit },
  }));
};
