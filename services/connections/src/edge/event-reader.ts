/**
 * Reads server-sent events as they come, in pieces of any size. Every character is looked at once, however long a line is. Not here:
 * where the text comes from, what is in the events.
 */
export interface ServerEvent {
  /** Empty when it names none. */
  readonly type: string;
  readonly data: string;
}

export class EventReader {
  /** Pieces of a line that has not ended. */
  #line: string[] = [];
  #data: string[] = [];
  #type = "";
  #id: string | undefined;
  #size = 0;
  #begun = false;
  #afterReturn = false;
  /** Of the latest event that had one. */
  lastId: string | undefined;
  /** Milliseconds that the server wants us to wait before we come back. */
  retryMs: number | undefined;

  /** Characters of the event that has not ended. */
  get unfinished(): number {
    return this.#size;
  }

  /** The events that end in this piece. */
  push(text: string): readonly ServerEvent[] {
    const events: ServerEvent[] = [];
    let from = this.#start(text);
    let feed = text.indexOf("\n", from);
    let back = text.indexOf("\r", from);
    while (feed !== -1 || back !== -1) {
      const end = back === -1 || (feed !== -1 && feed < back) ? feed : back;
      this.#take(text.slice(from, end));
      const event = this.#endLine();
      if (event !== undefined) events.push(event);
      from = end + 1;
      if (end === back) {
        if (feed === from) from += 1;
        this.#afterReturn = from === text.length && text.endsWith("\r");
        back = text.indexOf("\r", from);
      }
      if (feed !== -1 && feed < from) feed = text.indexOf("\n", from);
    }
    this.#take(text.slice(from));
    return events;
  }

  /** Where the first line begins: after a mark of the byte order, and after the second half of a line's end. */
  #start(text: string): number {
    const skipped = (this.#afterReturn && text.startsWith("\n")) || (!this.#begun && text.startsWith("\uFEFF"));
    if (text !== "") {
      this.#begun = true;
      this.#afterReturn = false;
    }
    return skipped ? 1 : 0;
  }

  #take(piece: string): void {
    if (piece === "") return;
    this.#line.push(piece);
    this.#size += piece.length;
  }

  #endLine(): ServerEvent | undefined {
    const line = this.#line.length === 1 ? (this.#line[0] ?? "") : this.#line.join("");
    this.#line = [];
    if (line === "") return this.#endEvent();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    switch (field) {
      case "data":
        this.#data.push(value);
        break;
      case "event":
        this.#type = value;
        break;
      case "id":
        if (!value.includes("\0")) this.#id = value;
        break;
      case "retry":
        if (/^\d{1,9}$/.test(value)) this.retryMs = Number(value);
        break;
      default:
        // Comments keep a stream alive, and are kept by nobody.
        this.#size -= line.length;
    }
    return undefined;
  }

  #endEvent(): ServerEvent | undefined {
    const [data, type] = [this.#data, this.#type];
    if (this.#id !== undefined) this.lastId = this.#id;
    this.#data = [];
    this.#type = "";
    this.#id = undefined;
    this.#size = 0;
    return data.length === 0 ? undefined : { type, data: data.length === 1 ? (data[0] ?? "") : data.join("\n") };
  }
}
