/**
 * Reads the request of an upload: its input and its file. As multipart/form-data, a part `input` of JSON and then a part `file`; as any other media type, the
 * body is the file, and the input is in the query string.
 *
 * The input is read and held to its limits at once; the file is handed on unread. Not here: which files are taken (dispatch).
 */
import { queryToInput, type WireError } from "@fairlead/contracts";
import type { ByteStream } from "../../../call/call.ts";
import { failure } from "../../../call/error.ts";
import { giveCallsTime, parseBody } from "../../../server/body.ts";
import type { Body, GuardedRequest } from "../../../server/mount.ts";
import type { CatalogEntry } from "../../transport.ts";
import { fileName, formBoundary, MalformedForm, MultipartReader, type Part, parameter } from "./multipart.ts";

type RefusedBody = Extract<Body, { readonly ok: false }>;

type UploadRequest =
  | { readonly ok: true; readonly input: unknown; readonly file: ByteStream | undefined }
  | RefusedBody;

/** The media type of a file whose sender says none. */
const anyType = "application/octet-stream";

export const readUpload = async (request: GuardedRequest, entry: CatalogEntry): Promise<UploadRequest> => {
  const { headers } = request.incoming;
  const contentType = headers["content-type"] ?? "";
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") return refusal(415, compressed);
  if (!/^multipart\//i.test(contentType)) return readAlone(request, entry, contentType);
  const boundary = formBoundary(contentType);
  return boundary === undefined ? refusal(415, noForm) : readForm(request, entry, boundary);
};

/** The body is the file, but for JSON, which is what other procedures take: dispatch refuses that after it has judged the caller. */
const readAlone = (request: GuardedRequest, { procedure }: CatalogEntry, contentType: string): UploadRequest => {
  const { headers } = request.incoming;
  const type = contentType === "" ? anyType : contentType;
  const types = procedure.kind === "mutation" ? procedure.upload?.types : undefined;
  if (/^application\/json\b/i.test(type) && types?.includes("application/json") !== true)
    return { ok: true, input: queryToInput(procedure, request.query), file: undefined };
  const length = headers["content-length"];
  const disposition = headers["content-disposition"];
  const source = request.bytes();
  const file: ByteStream = {
    type,
    name: disposition === undefined ? undefined : fileName(parameter(disposition, "filename")),
    size: length === undefined ? undefined : Number(length),
    async *[Symbol.asyncIterator]() {
      giveCallsTime(request.incoming);
      yield* source;
    },
  };
  return { ok: true, input: queryToInput(procedure, request.query), file };
};

const readForm = async (request: GuardedRequest, entry: CatalogEntry, boundary: string): Promise<UploadRequest> => {
  const { incoming, query } = request;
  const reader = new MultipartReader(request.bytes(), boundary);
  let input: unknown = queryToInput(entry.procedure, query);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const part = await reader.nextPart();
      if (part === undefined) return { ok: true, input, file: undefined };
      if (part.name === "file") return { ok: true, input, file: asFile(part, reader, request) };
      if (part.name !== "input" || !isFirst) return refusal(400, unknownPart);
      const body = await readInput(reader, entry);
      if (!body.ok) return body;
      input = body.value;
    }
  } catch (cause) {
    if (incoming.destroyed && !incoming.complete) return gone;
    if (cause instanceof MalformedForm) return refusal(400, malformed(cause));
    throw cause;
  }
};

const readInput = async (reader: MultipartReader, { limits }: CatalogEntry): Promise<Body> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of reader.bytes()) {
    size += bytes.length;
    if (size > limits.bytes) return parseBody("too large", limits);
    parts.push(bytes);
  }
  return parseBody(Buffer.concat(parts), limits);
};

const asFile = ({ filename, type = "" }: Part, reader: MultipartReader, request: GuardedRequest): ByteStream => ({
  type: type === "" ? anyType : type,
  name: filename,
  async *[Symbol.asyncIterator]() {
    giveCallsTime(request.incoming);
    try {
      yield* reader.bytes();
      // A file that was read to its end is whole only where the form is.
      if ((await reader.nextPart()) !== undefined) throw new MalformedForm("has more after the part `file`");
    } catch (cause) {
      throw cause instanceof MalformedForm ? failure("invalid_argument", malformed(cause).message) : cause;
    }
  },
});

interface RefusalText {
  readonly message: string;
  readonly hint?: string;
}

const refusal = (status: number, words: RefusalText): RefusedBody => ({
  ok: false,
  status,
  error: { code: "invalid_argument", ...words, retryable: false } satisfies WireError,
});

const malformed = ({ message }: MalformedForm): RefusalText => ({
  message: `the form ${message}`,
  hint: "send multipart/form-data: a part `input` of JSON, then a part `file`",
});

const noForm: RefusalText = {
  message: "the body is not a file",
  hint: "send multipart/form-data with a part `input` of JSON and then a part `file`, or the file alone, with its own content-type",
};

const compressed: RefusalText = { message: "the body is compressed", hint: "send it as it is" };

const unknownPart: RefusalText = {
  message: "the form has a part that is neither `input` nor `file`, or they are in another order",
  hint: "send `input` as JSON first, then `file`, and each once",
};

const gone: RefusedBody = {
  ok: false,
  status: 499,
  error: { code: "canceled", message: "the client hung up before the form was complete", retryable: false },
};
