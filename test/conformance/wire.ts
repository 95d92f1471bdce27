/**
 * One way into a kernel, as the suite sees it: what a call gives, in the terms of the contract, whatever the bytes were.
 */
import type { WireError } from "@fairlead/contracts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
}

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: WireError };

export interface Wire {
  readonly name: string;
  call(procedure: string, input: unknown, options?: CallOptions): Promise<Outcome>;
  /** First `take` events; leaves the stream then. Absent where the protocol has no streams. */
  subscribe?(procedure: string, input: unknown, take: number): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** How the suite opens a wire onto a listening kernel. */
export type OpenWire = (kernel: { readonly url: string; readonly openapi: OpenApi }) => Promise<Wire>;

/** The part of an OpenAPI document that a plain HTTP caller needs. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** A failure of the wire itself, which no case expects. */
export const broken = (wire: string, detail: unknown): Error =>
  new Error(`${wire} answered out of form: ${JSON.stringify(detail)}`);
