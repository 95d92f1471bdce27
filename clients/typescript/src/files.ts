/**
 * Files on their way: the form that an upload is sent as, and the answer of a download as bytes that come as they are read. No file is ever held as a whole.
 *
 * Not here: which procedures take or give files (the descriptor), and when a call is made again (`client.ts`).
 */
import type { AttemptLimits } from "./attempt-limits.ts";
import { ClientError } from "./error.ts";
import { randomKey } from "./retry.ts";
import type { Attempt, DownloadedFile, UploadFile } from "./transport.ts";

const anyType = "application/octet-stream";

/** The bytes of a file to send, its media type and its name. */
export const describeUpload = (
  file: UploadFile,
): { readonly type: string; readonly name: string | undefined; readonly size: number | undefined } => {
  if (!(file instanceof Blob)) return { type: file.type ?? anyType, name: file.name, size: undefined };
  const name = "name" in file && typeof file.name === "string" ? file.name : undefined;
  return { type: file.type === "" ? anyType : file.type, name, size: file.size };
};

interface UploadForm {
  readonly contentType: string;
  readonly body: Blob | ReadableStream<Uint8Array>;
}

/** The input and the file as multipart/form-data. What has a size keeps it. */
export const uploadForm = (input: unknown, file: UploadFile): UploadForm => {
  const boundary = `fairlead-${randomKey()}`;
  const { type, name } = describeUpload(file);
  const filename = name === undefined ? "" : `; filename="${escapeName(name)}"`;
  const head = [
    `--${boundary}`,
    'content-disposition: form-data; name="input"',
    "content-type: application/json",
    "",
    JSON.stringify(input) ?? "{}",
    `--${boundary}`,
    `content-disposition: form-data; name="file"${filename}`,
    `content-type: ${type.replaceAll(/[^\x20-\x7e]/g, "")}`,
    "",
    "",
  ].join("\r\n");
  const tail = `\r\n--${boundary}--\r\n`;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  if (file instanceof Blob) return { contentType, body: new Blob([head, file, tail]) };
  return { contentType, body: surrounded(head, file.stream, tail) };
};

/** As browsers write it. */
const escapeName = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll(/["\r\n]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

const surrounded = (head: string, file: ReadableStream<Uint8Array>, tail: string): ReadableStream<Uint8Array> => {
  const text = new TextEncoder();
  const reader = file.getReader();
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(text.encode(head)),
    async pull(controller) {
      const next = await reader.read();
      if (!next.done) return controller.enqueue(next.value);
      controller.enqueue(text.encode(tail));
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

interface DownloadParts {
  readonly attempt: Attempt;
  readonly limits: AttemptLimits;
}

/** The file of an answer whose head has come. From here on only the caller's signal ends it. */
export const readDownload = (response: Response, { attempt, limits }: DownloadParts): DownloadedFile => {
  const { headers, body } = response;
  const [, first, whole] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  const size = whole ?? headers.get("content-length") ?? undefined;
  const name = fileName(headers.get("content-disposition") ?? "");
  const etag = /^"([^"]*)"$/.exec(headers.get("etag") ?? "")?.[1];
  return {
    type: headers.get("content-type") ?? anyType,
    ...(name !== undefined && { name }),
    ...(size !== undefined && { size: Number(size) }),
    ...(etag !== undefined && { etag }),
    start: Number(first ?? 0),
    stream: followed(body ?? new Blob([]).stream(), { attempt, limits }),
  };
};

const fileName = (disposition: string): string | undefined => {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]*)"/.exec(disposition)?.[1];
};

/** The same bytes; what cuts them off is a `ClientError`, and the caller's signal is let go of at their end. */
const followed = (body: ReadableStream<Uint8Array>, { attempt, limits }: DownloadParts): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await reader.read();
          if (!next.done) return controller.enqueue(next.value);
          limits.release();
          controller.close();
        } catch (cause) {
          limits.release();
          controller.error(limits.error() ?? cutOff(attempt, cause));
        }
      },
      cancel: (reason) => {
        limits.release();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
};

const cutOff = ({ procedure }: Attempt, cause: unknown): ClientError =>
  new ClientError(
    {
      code: "unavailable",
      message: `the file of ${procedure.name} was cut off`,
      hint: "ask for the rest of it with `range`",
      retryable: true,
    },
    procedure.name,
    { cause },
  );

/** The refusal of a part that begins after the file's end. */
export const noSuchPart = ({ procedure }: Attempt): ClientError =>
  new ClientError(
    { code: "out_of_range", message: `the file of ${procedure.name} has no such part`, retryable: false },
    procedure.name,
  );

/** What is iterated as a stream that is read a part at a time. */
export const toStream = (bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const iterator = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
};
