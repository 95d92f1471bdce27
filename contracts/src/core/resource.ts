/**
 * Resources of a contract: what a client may read by an address and follow as it changes, like a file. A host shows them to a person, who attaches one to
 * what they ask; no model pays for them before that.
 *
 * Not here: how addresses are written and served (the kernel), and whether a resource fits its contract (`fairlead gen`).
 */
import type { Choices } from "./prompt.ts";

/** A part of a resource's path that differs. */
interface ResourceField {
  /** One line. */
  readonly about: string;
  /** Values that there are, as far as they can be listed. */
  readonly choices?: Choices;
}

/** How it is known that a resource is not as it was. */
type ResourceChanges =
  | {
      /** A subscription of the contract: whatever it sends means that the resource may have changed. */
      readonly subscription: string;
      /** Its input, as the one of `read`; that one when left out. */
      readonly input?: Readonly<Record<string, unknown>>;
    }
  | {
      /** Milliseconds after which it is read again and compared, while somebody follows it. */
      readonly everyMs: number;
    };

export interface Resource {
  /** For people, as clients show it. */
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** Where it is below `fairlead://<service>/`: words between slashes, and fields in braces, like `monsters/{edition}/{name}`. */
  readonly path: string;
  /** A query of the contract whose answer it is. */
  readonly read: string;
  /** The query's input, in which a text that is a field in braces, like `"{name}"`, stands for its value. Each field under its own name when left out. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Where its text is in the answer: names with dots between them. The whole answer as JSON when left out. */
  readonly text?: string;
  /** Media type of the text; `text/plain` when left out. */
  readonly type?: string;
  /** Each field of its path, by name. */
  readonly fields?: Readonly<Record<string, ResourceField>>;
  /** It stays as it is when left out. */
  readonly changes?: ResourceChanges;
}
