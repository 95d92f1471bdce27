/**
 * Answers of `tools/list` that are written once and sent again: the list is the longest answer there is, and the same for everyone who sees the same
 * tools. The SDK writes each of them, the first time; what is kept is its text, without the id of the request.
 *
 * A list is found again by the tools in it, so that a change, another principal or another address can only miss. Not here: which requests are plain
 * (`../plain-call.ts`), what a principal sees (`../endpoint.ts`).
 */
import type { ServerResponse } from "node:http";
import type { RequestId, Tool } from "@modelcontextprotocol/server";
import { isRecord } from "../../../call/record.ts";
import { chooseEncoding } from "../../../server/response/encoding.ts";
import { StreamWriter } from "../../../server/response/stream.ts";
import type { PackedList } from "./packed-list.ts";

/** How the transport writes. */
interface Writing {
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Writes what the SDK answered as it is. */
  readonly writeAnswer: (answer: Response, response: ServerResponse) => Promise<void>;
}

interface ListQuestion {
  readonly id: RequestId;
  /** What else decides what is written beside the tools: the address, and the revision that is spoken. */
  readonly kind: string;
  /** What this principal sees now. */
  readonly tools: () => readonly Tool[];
}

interface KeptList {
  readonly kind: string;
  readonly tools: readonly Tool[];
  /** The answer up to the id of its request, which comes last. */
  readonly bytes: Buffer;
  packed?: Promise<PackedList>;
}

/** Lists that are kept, the bytes of all of them, and of one: a longer one goes out as the SDK writes it. */
const most = { lists: 16, bytes: 16_777_216, each: 4_194_304 } as const;

export class KeptLists {
  readonly #writing: Writing;
  readonly #kept = new Set<KeptList>();
  #bytes = 0;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  /** Sends the list; `ask` has the SDK write it where it is not known. */
  answer(question: ListQuestion, response: ServerResponse, ask: () => Promise<Response>): Promise<void> {
    const { kind, id } = question;
    const tools = question.tools();
    const kept = this.#find(kind, tools);
    if (kept !== undefined) return this.#send(kept, id, response);
    return ask().then((answer) => {
      if (answer.status !== 200) return this.#writing.writeAnswer(answer, response);
      return answer.text().then((text) => {
        const bytes = withoutId(text, answer.headers.get("content-type"), id);
        // What was written is of these tools only where they are the same afterwards.
        if (bytes === undefined || bytes.length > most.each || !isSame(tools, question.tools()))
          return this.#writing.writeAnswer(new Response(text, answer), response);
        const made: KeptList = { kind, tools, bytes };
        this.#keep(made);
        return this.#send(made, id, response);
      });
    });
  }

  /** Lets go of all of them: what they list has changed. */
  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #find(kind: string, tools: readonly Tool[]): KeptList | undefined {
    for (const kept of this.#kept) if (kept.kind === kind && isSame(kept.tools, tools)) return kept;
    return undefined;
  }

  #send(kept: KeptList, id: RequestId, response: ServerResponse): Promise<void> {
    const end = Buffer.from(`${JSON.stringify(id)}}`);
    const accepted = response.req.headers["accept-encoding"]?.toString();
    const headers = { ...this.#writing.headers, "content-type": "application/json", vary: "accept-encoding" };
    if (accepted === undefined || chooseEncoding(accepted, (encoding) => encoding === "gzip") === undefined) {
      write(response, headers, [kept.bytes, end]);
      return done;
    }
    kept.packed ??= import("./packed-list.ts").then(({ packList }) => packList(kept.bytes));
    return kept.packed.then((packed) =>
      write(response, { ...headers, "content-encoding": "gzip" }, packed.finish(end)),
    );
  }

  #keep(made: KeptList): void {
    this.#kept.add(made);
    this.#bytes += made.bytes.length;
    for (const oldest of this.#kept) {
      if (this.#kept.size <= most.lists && this.#bytes <= most.bytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= oldest.bytes.length;
    }
  }
}

const done = Promise.resolve();

const isSame = (some: readonly Tool[], others: readonly Tool[]): boolean =>
  some === others || (some.length === others.length && some.every((tool, at) => tool === others[at]));

/** The one message in what the SDK wrote, as a document or as an event, with its id last and left out. */
const withoutId = (text: string, type: string | null, id: RequestId): Buffer | undefined => {
  const document = type?.startsWith("text/event-stream") === true ? onlyEvent(text) : text;
  if (document === undefined) return undefined;
  const message: unknown = JSON.parse(document);
  if (!isRecord(message) || message.id !== id || !isRecord(message.result)) return undefined;
  const { id: _, ...rest } = message;
  return Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"id":`);
};

const onlyEvent = (text: string): string | undefined => {
  const messages = text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: {") ? [line.slice("data: ".length)] : []));
  return messages.length === 1 ? messages[0] : undefined;
};

const write = (response: ServerResponse, headers: Readonly<Record<string, string>>, parts: readonly Buffer[]): void => {
  if (response.destroyed) return;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  response.writeHead(200, { ...headers, "content-length": length });
  const writer = new StreamWriter(response);
  for (const part of parts) void writer.write(part);
  writer.end();
};
