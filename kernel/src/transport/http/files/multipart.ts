/**
 * Reads multipart/form-data (RFC 7578) as it comes: one part after the other, each with its headers and its bytes, which wait for their reader.
 * Nothing but the head of a part is ever held as a whole.
 *
 * Not here: which parts there have to be (`upload.ts`).
 */

/** The head of a part. */
export interface Part {
  /** `name` of its Content-Disposition. */
  readonly name: string;
  /** `filename` of its Content-Disposition, without folders. */
  readonly filename?: string | undefined;
  /** Its Content-Type. */
  readonly type?: string | undefined;
}

/** What is wrong with the form, in words that follow "the form". */
export class MalformedForm extends Error {
  override readonly name = "MalformedForm";
}

/** Bytes that the head of a part, or what is in front of the first, may have. */
const longestHead = 16_384;

const headEnd = Buffer.from("\r\n\r\n");

/** The boundary in a Content-Type of multipart/form-data; `undefined` for another type, or one without a boundary of 1 to 70 characters. */
export const formBoundary = (contentType: string): string | undefined => {
  if (!/^multipart\/form-data[ \t]*;/i.test(contentType)) return undefined;
  return /^[\x21-\x7e ]{0,69}[\x21-\x7e]$/.exec(parameter(contentType, "boundary") ?? "")?.[0];
};

/** A parameter of a header like `form-data; name="file"`, its quotes and escapes undone. */
export const parameter = (header: string, name: string): string | undefined => {
  const prefix = `${name}=`;
  for (const part of splitParameters(header)) {
    if (part.slice(0, prefix.length).toLowerCase() !== prefix) continue;
    const value = part.slice(prefix.length);
    return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : value;
  }
  return undefined;
};

/** What is between the semicolons that are in no quotes. */
const splitParameters = (header: string): readonly string[] => {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at <= header.length; at += 1) {
    const char = header[at];
    if (isQuoted && char === "\\") at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (at >= header.length || (char === ";" && !isQuoted)) {
      parts.push(header.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts;
};

/** Characters that turn the direction of the text around them. */
const turning = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

/** True for what a terminal or a list of files would act on instead of showing it. */
const isControl = (char: string): boolean => char < " " || (char >= "\x7f" && char <= "\x9f") || turning.includes(char);

/** The name of a file, whatever folders and control characters were sent with it; nothing where no name is left. */
export const fileName = (sent: string | undefined): string | undefined => {
  const last = sent?.split(/[/\\]/).at(-1) ?? "";
  const name = [...last]
    .filter((char) => !isControl(char))
    .slice(0, 200)
    .join("")
    .trim();
  return name === "" || name === "." || name === ".." ? undefined : name.toWellFormed();
};

export class MultipartReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  // The first delimiter has a line before it, too, where nothing is in front of it.
  #held: Buffer = Buffer.from("\r\n");
  #isPartOpen = false;

  constructor(chunks: AsyncIterable<Uint8Array>, boundary: string) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** The next part, what is left of the one before passed over; `undefined` after the last. */
  async nextPart(): Promise<Part | undefined> {
    if (this.#isPartOpen) for await (const _ of this.bytes());
    const start = await this.#find(this.#delimiter, "has no boundary");
    this.#drop(start + this.#delimiter.length);
    while (this.#held.length < 2) await this.#read("ends in the middle of a boundary");
    if (this.#held.subarray(0, 2).toString("latin1") === "--") {
      await this.#leaveRest();
      return undefined;
    }
    const end = await this.#find(headEnd, "has a part without an end of its headers");
    const head = parseHead(this.#held.subarray(0, end).toString("utf8"));
    this.#drop(end + headEnd.length);
    this.#isPartOpen = true;
    return head;
  }

  /** The bytes of the part that was begun last; they are read once. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    while (this.#isPartOpen) {
      const end = this.#held.indexOf(this.#delimiter);
      const until = end === -1 ? this.#held.length - this.#delimiter.length : end;
      if (until > 0) {
        const part = this.#held.subarray(0, until);
        this.#drop(until);
        yield part;
      }
      if (end === -1) await this.#read("ends in the middle of a part");
      else this.#isPartOpen = false;
    }
  }

  async #find(wanted: Buffer, otherwise: string): Promise<number> {
    for (;;) {
      const at = this.#held.indexOf(wanted);
      if (at !== -1) return at;
      if (this.#held.length > longestHead) throw new MalformedForm(otherwise);
      await this.#read(otherwise);
    }
  }

  async #read(otherwise: string): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done === true) throw new MalformedForm(otherwise);
    this.#held = Buffer.concat([this.#held, next.value]);
  }

  /** What comes after the last boundary belongs to no part: a little of it is read, so that the connection can be used again. */
  async #leaveRest(): Promise<void> {
    let left = longestHead;
    while (left > 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return;
      left -= next.value.length;
    }
    throw new MalformedForm("goes on after its last boundary");
  }

  #drop(bytes: number): void {
    this.#held = this.#held.subarray(bytes);
  }
}

const parseHead = (text: string): Part => {
  const headers = new Map(
    text.split("\r\n").flatMap((line) => {
      const colon = line.indexOf(":");
      return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const];
    }),
  );
  const disposition = headers.get("content-disposition") ?? "";
  const name = parameter(disposition, "name");
  if (name === undefined) throw new MalformedForm("has a part without a name");
  return {
    name,
    filename: fileName(
      extendedName(parameter(disposition, "filename*")) ?? unescapeBrowser(parameter(disposition, "filename")),
    ),
    type: headers.get("content-type"),
  };
};

/** `UTF-8''na%C3%AFve.txt` (RFC 8187). */
const extendedName = (value: string | undefined): string | undefined => {
  if (value === undefined || !/^utf-8'/i.test(value)) return undefined;
  try {
    return decodeURIComponent(value.slice(value.indexOf("'", 6) + 1));
  } catch {
    return undefined;
  }
};

/** Browsers write a quote and line breaks of a name in percent form, and nothing else. */
const unescapeBrowser = (value: string | undefined): string | undefined =>
  value?.replaceAll(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
