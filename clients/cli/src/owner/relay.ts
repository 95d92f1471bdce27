/**
 * What a stdio server that is attached to an owner remembers of its client's MCP messages, so that the client need not notice when another
 * process becomes the owner: requests without an answer, and how the session began. Messages pass as the lines that they came in.
 *
 * Pure but for the two functions that take lines. Not here: sockets, and who the owner is (`attached.ts`).
 */
import type { RepeatableTools } from "@fairlead/kernel/owner";

interface RelayLines {
  readonly toOwner: (line: string) => void;
  readonly toClient: (line: string) => void;
}

interface OpenRequest {
  readonly line: string;
  readonly message: McpMessage;
}

type McpMessage = Readonly<Record<string, unknown>>;

/** Of the request with which a session is begun again at the next owner. No client chooses it. */
const replayId = "fairlead/attach";

export class ClientRelay {
  readonly #lines: RelayLines;
  readonly #open = new Map<string, OpenRequest>();
  /** Ids of the owner's own requests to the client. */
  readonly #questions = new Set<string>();
  /** Lines for the next owner, while there is none. */
  #waiting: string[] | undefined = [];
  #repeatable: RepeatableTools = { always: [], keyed: [] };
  /** How the client began its session, where the era has sessions, and once that was answered. */
  #initialize: string | undefined;
  #initialized: string | undefined;

  constructor(lines: RelayLines) {
    this.#lines = lines;
  }

  /** True while the client waits for an answer. */
  get isWaitedFor(): boolean {
    return this.#open.size > 0;
  }

  fromClient(line: string): void {
    const message = parse(line);
    const { method, id } = message;
    if (method === undefined && id !== undefined) {
      // An answer to an owner that is gone has no receiver.
      if (!this.#questions.delete(idKey(id))) return;
    } else if (typeof method === "string" && id !== undefined) this.#open.set(idKey(id), { line, message });
    else if (method === "notifications/initialized") this.#initialized = line;
    else if (method === "notifications/cancelled") this.#open.delete(idKey(member(message.params, "requestId")));
    if (this.#waiting === undefined) this.#lines.toOwner(line);
    else this.#waiting.push(line);
  }

  fromOwner(line: string): void {
    const message = parse(line);
    const { method, id } = message;
    if (typeof method === "string" && id !== undefined) this.#questions.add(idKey(id));
    else if (method === undefined && id === replayId) return;
    else if (method === undefined && id !== undefined) {
      const request = this.#open.get(idKey(id));
      if (request?.message.method === "initialize" && "result" in message) this.#initialize = request.line;
      this.#open.delete(idKey(id));
    }
    this.#lines.toClient(line);
  }

  /** The owner is gone. What may be sent again waits for the next one; the rest is answered `unavailable`. */
  lost(): void {
    this.#waiting = [];
    for (const question of this.#questions) this.#cancelQuestion(question);
    this.#questions.clear();
    for (const [key, { line, message }] of this.#open) {
      if (this.#mayRepeat(message)) this.#waiting.push(line);
      else {
        this.#open.delete(key);
        this.#lines.toClient(JSON.stringify(unavailable(message)));
      }
    }
  }

  /** There is an owner, with these tools: the session begins again, and what has waited is sent. */
  attached(repeatable: RepeatableTools): void {
    this.#repeatable = repeatable;
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    if (this.#initialize !== undefined) {
      this.#lines.toOwner(JSON.stringify({ ...parse(this.#initialize), id: replayId }));
      if (this.#initialized !== undefined && !waiting.includes(this.#initialized))
        this.#lines.toOwner(this.#initialized);
    }
    for (const line of waiting) this.#lines.toOwner(line);
  }

  #mayRepeat({ method, params }: McpMessage): boolean {
    if (method !== "tools/call") return true;
    const name = String(member(params, "name"));
    if (this.#repeatable.always.includes(name)) return true;
    const key = member(member(params, "_meta"), "fairlead/idempotencyKey");
    return typeof key === "string" && this.#repeatable.keyed.includes(name);
  }

  #cancelQuestion(key: string): void {
    const params = { requestId: JSON.parse(key), reason: "the kernel that asked has ended" };
    this.#lines.toClient(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
  }
}

/** The answer to a tool call that may have been carried out, and must not be made twice: as dispatch would write it. */
const unavailable = ({ id, params }: McpMessage): McpMessage => {
  const name = String(member(params, "name"));
  const message = `the kernel that ran ${name} ended before it answered; the work may have happened`;
  const hint = "look at what was done before you call it again";
  const isStateless = member(member(params, "_meta"), "io.modelcontextprotocol/protocolVersion") !== undefined;
  return {
    jsonrpc: "2.0",
    id,
    result: {
      isError: true,
      content: [{ type: "text", text: `${message}\n${hint}` }],
      _meta: { "fairlead/error": { code: "unavailable", message, hint, retryable: false } },
      ...(isStateless && { resultType: "complete" }),
    },
  };
};

/** What is not a JSON object is the owner's to answer. */
const parse = (line: string): McpMessage => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

/** `1` and `"1"` are two ids. */
const idKey = (id: unknown): string => JSON.stringify(id ?? null);

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
