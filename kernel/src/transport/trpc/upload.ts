/**
 * An upload over tRPC: the `FormData` that its clients send where the input is one, with a part `input` of JSON and then a part `file`, as on HTTP. It goes past
 * tRPC's own protocol code, which would parse all of the form into memory first. Loaded with the first of them.
 *
 * Not here: reading forms (`transport/http/files`), and uploads without a file, which dispatch refuses as any call.
 */
import type { ServerResponse } from "node:http";
import type { Dispatch } from "../../call/call.ts";
import { withoutInputNames } from "../../limits/fit.ts";
import type { GuardedRequest } from "../../server/mount.ts";
import { hasUnreadBody, isFileTooLarge } from "../../server/problem.ts";
import { readUpload } from "../http/files/upload.ts";
import type { CatalogEntry } from "../transport.ts";
import { writeAnswers } from "./plain-calls.ts";
import { sendTrpcError } from "./reply.ts";
import { callTerms } from "./request.ts";

interface UploadCall {
  readonly dispatch: Dispatch;
  readonly entry: CatalogEntry;
  /** Its idempotency key: dispatch knows whether it takes one. */
  readonly key: string | undefined;
}

export const answerUpload = async (
  { dispatch, entry, key }: UploadCall,
  request: GuardedRequest,
  response: ServerResponse,
): Promise<void> => {
  const { name: path, procedure } = entry;
  const sent = await readUpload(request, entry);
  if (!sent.ok) return sendTrpcError(response, withoutInputNames(sent.error, procedure), { status: sent.status, path });
  const reply = await dispatch.call({
    ...callTerms(request, false),
    procedure: path,
    input: sent.input,
    ...(key !== undefined && { idempotencyKey: key }),
    ...(sent.file !== undefined && { file: sent.file }),
    signal: request.signal,
  });
  if (!reply.ok)
    return sendTrpcError(response, reply.error, { path, ...(isFileTooLarge(reply.error) && { status: 413 }) });
  // A handler need not read all of a file.
  if (hasUnreadBody(request.incoming)) response.setHeader("connection", "close");
  writeAnswers(response, 200, { result: { data: reply.value } });
};
