/**
 * Command-line verbs: how `fairlead <verb>` offers the procedures of a contract, as data. A verb says which procedures it calls, which
 * arguments and flags fill their input, and how people read the result.
 *
 * It is data, never code, so that a running kernel can hand it to a command that has none of its services. Not here: what a view looks
 * like on a terminal (the command), and whether a verb fits its contract (`fairlead gen`).
 */
import type { Code } from "./code.ts";

/**
 * A place in the verb's values, with dots between the names: `connection.state` in the result, `$name` for an argument or a flag,
 * `$input` for the whole input, `.` for the value itself. Inside a row or an item, paths without `$` begin at that item.
 */
export type VerbPath = string;

/**
 * Text with values in braces: `{connection.name} is {connection.state}`. A value may pass filters: `{quarantined|count}`. As parts, each
 * part is left out where a value in it is missing: null, false, 0, or empty.
 */
export type VerbText = string | { readonly parts: readonly string[]; readonly between: string };

/** A condition on a value. Missing is what `VerbText` calls so. */
export type VerbCondition =
  | { readonly present: VerbPath }
  | { readonly missing: VerbPath }
  | { readonly value: VerbPath; readonly is: string | number | boolean | null }
  | { readonly value: VerbPath; readonly not: string | number | boolean | null }
  /** Both are the same text. */
  | { readonly value: VerbPath; readonly same: VerbPath }
  /** Some item of the list is not in the other one; `$outside` are those items. */
  | { readonly some: VerbPath; readonly outside: VerbPath };

/** What an argument or a flag takes. */
export type VerbValueKind = "text" | "number" | "switch" | "list" | "pairs";

interface VerbValue {
  /** The field of the input that it fills; only `$name` when left out. */
  readonly field?: string;
  /** One line for `--help`. */
  readonly about: string;
  /** Read off the field's schema by `fairlead gen`; text where there is no field. */
  readonly kind?: VerbValueKind;
  /** The values it may have; read off the field's schema by `fairlead gen`. */
  readonly choices?: readonly string[];
}

/** A positional argument. */
export interface VerbArgument extends VerbValue {
  /** As shown in help, and the name of its value: `$ticket`. */
  readonly name: string;
  readonly optional?: boolean;
  /** Takes all the words that are left, as a list. Only for the last one. */
  readonly many?: boolean;
  /** A JSON file, or `-` for stdin: its content is the input. */
  readonly file?: boolean;
}

/** A flag. Its value is `$` and its long name in camel case: `$stepBudget` for `--step-budget <n>`. */
export interface VerbFlag extends VerbValue {
  /** Like `--scope <glob>`, `-H, --header <header...>`, or `--draft-prs` for a switch. */
  readonly flags: string;
}

/** An input made of values: a path with `$`, a plain value, or an object of them. */
export type VerbInput = string | number | boolean | { readonly [field: string]: VerbInput };

/** Reports that a named item does not exist: exit 6, with the nearest name there is. */
export interface VerbNotFound {
  /** What does not exist, like `connection`. */
  readonly noun: string;
  /** The name that was given. */
  readonly name: VerbPath;
  /** The names there are: in the error's data, or in the result of a procedure that takes no input. */
  readonly known: VerbPath | { readonly call: string; readonly each: VerbPath };
  /** The verb that lists them. */
  readonly see: string;
}

/** Ends the verb with an error of the command line. */
export interface VerbFailure {
  readonly code: Code;
  /** The procedure's own message when left out. */
  readonly message?: VerbText;
  readonly hint: VerbText;
}

/** A procedure whose result is one page of a list: all pages are read, unless the input has `limit`. */
export interface VerbPages {
  /** Field of the result with the items. */
  readonly items: string;
  /** Field of the result that says where the next page begins; null at the end. */
  readonly next: string;
  /** Field of the input that takes it. */
  readonly after: string;
  /** Field of the input with the most items of a page. */
  readonly limit: string;
}

/** One call of a procedure. */
export interface VerbStep {
  /** The procedure's name in this contract, like `startSession`. */
  readonly call: string;
  /** Only where all of these hold; always when left out. */
  readonly when?: readonly VerbCondition[];
  /** The name of its result, for paths of later steps and of the document. Without it, the result's own fields are the values. */
  readonly as?: string;
  /** What it is called with: the first whose condition holds. All arguments, flags and data when left out. */
  readonly input?: VerbInput | readonly { readonly when?: readonly VerbCondition[]; readonly input: VerbInput }[];
  readonly pages?: VerbPages;
  /** A result of null or false means that there is no such item. */
  readonly absent?: VerbNotFound;
  /** Declared errors by reason, where the command line has better words. */
  readonly errors?: Readonly<Record<string, VerbNotFound | VerbFailure>>;
  /** Results to refuse. */
  readonly refuse?: readonly (VerbFailure & { readonly when: readonly VerbCondition[] })[];
  /**
   * A page for the user's browser. Before the call, a server on loopback opens and its address goes into the field `redirect`; after it,
   * the page at the path `open` is shown, and `$query` is the query that the browser comes back with, within 10 minutes.
   */
  readonly browser?: { readonly redirect: string; readonly open: VerbPath };
}

/** How a value is shown. Several views are shown one below the other; a view of nothing leaves no line. */
export type VerbView =
  | VerbText
  | readonly VerbView[]
  /** One line a field of an object: its name and its value. */
  | {
      readonly fields: VerbPath;
      /** Only these, in this order. */
      readonly only?: readonly string[];
      /** All but these. */
      readonly without?: readonly string[];
      /** Leaves out fields without a value: null and empty lists. */
      readonly filled?: boolean;
      /** Texts for fields that are objects, with paths from the field's value. */
      readonly format?: Readonly<Record<string, VerbText>>;
    }
  /** A row an item, in columns; a line of headings where there are some. */
  | { readonly table: VerbPath; readonly columns: readonly { readonly head?: string; readonly cell: VerbText }[] }
  /** A view an item. */
  | { readonly each: VerbPath; readonly show: VerbView; readonly between?: string }
  /** The first whose conditions hold. */
  | { readonly first: readonly { readonly when?: readonly VerbCondition[]; readonly show: VerbView }[] }
  /** Exact shares of a whole as bars: fractions like `13/20`. `less` is subtracted; `of` is the whole when left out. */
  | { readonly shares: readonly { readonly name: string; readonly of?: VerbPath; readonly less?: VerbPath }[] }
  /** The share of each whole number as a bar; many numbers share rows. */
  | { readonly histogram: VerbPath; readonly number: VerbPath; readonly share: VerbPath };

/**
 * Follows a subscription after the result was printed: with `--watch`, where a terminal shows the result as it is at every moment, or always, a line
 * an event. An error of the subscription is that of the command.
 */
export interface VerbWatch {
  /** Without `--watch`: the subscription is what the verb does, and begins once its steps are done. */
  readonly always?: true;
  /** `follow`: the flag is `--follow`. `--watch` when left out. */
  readonly flag?: "follow";
  /** A subscription. */
  readonly call: string;
  /** What it is called with; nothing when left out. Values that were not given are left out. */
  readonly input?: VerbInput;
  /** Events at the beginning that are not shown, like a snapshot. 0 when left out. */
  readonly skip?: number;
  /** One event, for people. Programs get it as a line of JSON. */
  readonly show: VerbView;
  /** One line for `--help`. */
  readonly about: string;
}

/** The service that the calls of imported tools go through, as files that an import writes name it. */
export interface ImportRelay {
  /** Its id. */
  readonly service: string;
  /** Its package, which a project names under `gen.include`. */
  readonly package: string;
  /** Module with `importedService` and the type `ImportedTool`. */
  readonly runtime: string;
  /** The verb that imports, and the one that shows how a connection is. */
  readonly verbs: { readonly import: string; readonly status: string };
}

/** Writes a contract of tools that the steps have listed, as `gen` reads it. */
export interface VerbImport {
  readonly through: ImportRelay;
  /** The list of tools, each with `name`, `upstreamName`, `description`, `inputSchema`, `outputSchema` and `annotations`. */
  readonly tools: VerbPath;
  /** The connection that their calls go through. */
  readonly connection: VerbPath;
  /** Id of the contract; the connection's letters and digits where there is no value. */
  readonly id: VerbPath;
  /** What is to do next, before what `gen` needs. */
  readonly next: readonly VerbView[];
}

/** A command that a contract offers, as data: its arguments, the calls it makes and how the result is shown. */
export interface Verb {
  /** One line, without a full stop. */
  readonly summary: string;
  /** More, for `--help`. */
  readonly description?: string;
  /** Whole command lines. */
  readonly examples: readonly string[];
  /** `running`: only of a kernel that runs already. Otherwise the command starts one where no address is given. */
  readonly kernel?: "running";
  readonly arguments?: readonly VerbArgument[];
  readonly flags?: readonly VerbFlag[];
  /** Adds `-d, --data <json>`: the whole input, or one field of it. */
  readonly data?: { readonly field?: string; readonly about: string };
  /** At least one. */
  readonly steps: readonly VerbStep[];
  /** The JSON document of `--json`: names and where their values are. The first step's result when left out. */
  readonly document?: Readonly<Record<string, VerbPath>>;
  readonly show: VerbView;
  /** Views for stderr, like warnings and hints. */
  readonly notes?: readonly VerbView[];
  readonly watch?: VerbWatch;
  readonly imports?: VerbImport;
}

/** A verb with its name and its service, as `fairlead gen` writes it and a kernel serves it. */
export interface NamedVerb extends Verb {
  /** One or two words, as typed. */
  readonly name: string;
  readonly service: string;
}

/** What a kernel's services offer on the command line: `verbs.json`. */
export interface VerbDocument {
  readonly version: 1;
  readonly verbs: readonly NamedVerb[];
}

/** Version of `VerbDocument`. */
export const verbDocumentVersion = 1;

/** First words of the command line's own commands, which no verb can have. */
export const ownCommands: readonly string[] = [
  "call",
  "describe",
  "diff",
  "doctor",
  "gen",
  "help",
  "ls",
  "mcp",
  "new",
  "services",
  "token",
  "up",
  "version",
];
