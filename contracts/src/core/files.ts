/**
 * Procedures that take or give a file: `upload` and `download`. The bytes are beside the input and the output, which stay JSON, so that a schema never has to
 * describe bytes and no transport writes them as base64.
 *
 * Not here: reading and sending them (the kernel's transports and the clients).
 */
import * as z from "zod";
import { checkDefinition, downloadShape, uploadShape } from "./definition-check.ts";
import type { ErrorMap } from "./error.ts";
import type { PolicyFor } from "./policy.ts";
import type { DownloadRule, Mutation, Query, UploadRule } from "./procedure.ts";
import type { Schema } from "./schema/schema.ts";

/** A mutation that takes a file beside its input: over HTTP, a POST of multipart/form-data, or of the bytes alone. */
export type UploadMutation<
  I extends Schema,
  O extends Schema,
  E extends ErrorMap,
  R extends "idempotent" | "unsafe",
> = Omit<Mutation<I, O, E, R, Record<never, never>>, "policy"> & {
  readonly upload: UploadRule;
  /** Not tried again by the kernel: the file can be read once. */
  readonly policy?: PolicyFor<"unsafe">;
};

type UploadDefinition<I extends Schema, O extends Schema, E extends ErrorMap, R extends "idempotent" | "unsafe"> = Omit<
  UploadMutation<I, O, E, R>,
  "kind" | "retry" | "upload" | "run" | "questions" | "placement"
> & {
  /** Not `keyed`: of the file of an earlier call nothing is kept that a repeat could be compared with. */
  readonly retry: R;
  readonly file: UploadRule;
};

/**
 * Takes a file beside its input: `upload({ file: { maxBytes: 50_000_000, types: ["image/*"] }, ... })`. Its handler reads `call.file` as it comes, and the
 * sender waits for the reader. Its tool on MCP takes a small file in its arguments, and over stdio one of the client's folders.
 */
export const upload = <
  const I extends Schema,
  const O extends Schema,
  const R extends "idempotent" | "unsafe",
  const E extends ErrorMap = Record<never, never>,
>(
  definition: UploadDefinition<I, O, E, R>,
): UploadMutation<I, O, E, R> => {
  const { file, ...rest } = checkDefinition("upload", definition, uploadShape);
  return { ...rest, kind: "mutation", upload: file };
};

/** What a file is, without its bytes. */
const fileDescription = z.object({
  name: z.string().max(255).optional().describe("Its name, without a folder."),
  type: z.string().max(255).describe("Its media type, like `image/png`."),
  size: z.int().min(0).optional().describe("Its bytes, where they are known."),
  etag: z.string().max(255).optional().describe("Changes when the bytes do."),
  url: z.string().optional().describe("Where its bytes are: on MCP a resource, elsewhere a path of the HTTP API."),
  note: z.string().optional().describe("How to get its bytes, where the input can be in no address."),
});

/** A query that gives a file: over HTTP its bytes, on tRPC and MCP what it is and where its bytes are. */
export type DownloadQuery<I extends Schema, E extends ErrorMap> = Query<
  I,
  typeof fileDescription,
  E,
  Record<never, never>
> & { readonly download: DownloadRule };

type DownloadDefinition<I extends Schema, E extends ErrorMap> = Omit<
  DownloadQuery<I, E>,
  "kind" | "retry" | "download" | "run" | "questions" | "placement" | "output" | "paginated"
> &
  DownloadRule;

/**
 * Gives a file: `download({ types: ["image/png"], ... })`. Its handler returns a `Blob` or a `ByteSource`, which is opened when somebody reads it; HTTP serves
 * parts of it to who asks for a range.
 */
export const download = <const I extends Schema, const E extends ErrorMap = Record<never, never>>(
  definition: DownloadDefinition<I, E>,
): DownloadQuery<I, E> => {
  const { types, ...rest } = checkDefinition("download", definition, downloadShape);
  return {
    ...rest,
    kind: "query",
    retry: "safe",
    output: fileDescription,
    download: types === undefined ? {} : { types },
  };
};
