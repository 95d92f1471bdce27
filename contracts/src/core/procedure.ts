/**
 * The three kinds of procedure and what each must say about itself: `query` reads, `mutation` changes, `subscription` streams.
 *
 * Everything is data. Wrong combinations (a retry policy on an unsafe mutation, an example that does not fit the input) do not
 * compile; a key or value that no procedure has throws, in plain JavaScript too; what neither can see is found by `fairlead gen`.
 */
import * as z from "zod";
import {
  checkDefinition,
  checkPlacement,
  confirmShape,
  paginatedShape,
  procedureShape,
  questionShape,
} from "./definition-check.ts";
import type { ErrorMap } from "./error.ts";
import type { PolicyFor, ProcedurePlacement, RetrySafety, RunPolicyFor } from "./policy.ts";
import { asZod4, type Schema, type SchemaInput, type SchemaOutput } from "./schema/schema.ts";
import { schemaDef } from "./schema/zod-def.ts";

/** A query reads, a mutation may change something, a subscription sends events until it is ended. */
export type ProcedureKind = "query" | "mutation" | "subscription";

/** What a token must allow: `read` for queries and subscriptions, `call` for mutations, `admin` where the contract says so. */
export type AccessLevel = "read" | "call" | "admin";

/** What a procedure does to the world, for clients that ask a person first. Default: none of it. */
export interface ProcedureHints {
  /** May destroy or overwrite something that cannot be brought back. Only for mutations. */
  readonly destructive?: boolean;
  /** Talks to systems outside this machine. */
  readonly openWorld?: boolean;
}

/** An input and what it is answered, for documents, tests and tools. */
export interface Example<I> {
  /** One line: what this example shows. */
  readonly summary: string;
  readonly input: I;
}

/** What will go: since which version of the contract, and what to use instead. */
export interface Deprecation {
  /** The contract's version that deprecated it, like `1.2.0`. */
  readonly since: string;
  /** A procedure like `notes.create`, or a field of the same input. Left out where nothing takes its place. */
  readonly use?: string;
}

/** Since when a procedure has another name, and what else its old name was on MCP. */
export interface Rename {
  /** The contract's version that renamed it, like `1.3.0`. */
  readonly since: string;
  /** Its tool's name at that time, where that was stated. By default the one of the old name; none where the contract states the new one. */
  readonly tool?: string;
}

/** Where the default HTTP route (`/api/<service>/<procedure>`) does not fit. */
interface HttpRoute {
  /** Path below `/api`, starting with a slash, without parameters. */
  readonly path: string;
}

interface ProcedureBase<I extends Schema, O extends Schema, E extends ErrorMap> {
  /** One sentence; becomes the tool description's first line. */
  readonly summary: string;
  /** More, where a sentence is not enough. Markdown. */
  readonly description?: string;
  /** Always an object schema; every field described, with its unit. */
  readonly input: I;
  /** For a subscription: one event. */
  readonly output: O;
  readonly errors?: E;
  readonly examples?: readonly Example<SchemaInput<I>>[];
  readonly access?: AccessLevel;
  /** Shown on every surface, and its calls are counted for each caller. It works as before. */
  readonly deprecated?: Deprecation;
  readonly http?: HttpRoute;
  /** Where its calls may run when a kernel has workers or other machines. Default `here`: in the kernel's own process. */
  readonly placement?: ProcedurePlacement;
  /**
   * The names that it had before: `{ add: { since: "1.3.0" } }`. `defineContract` adds a deprecated procedure for each, which the same handler answers, so
   * that callers of the old name go on.
   */
  readonly renamedFrom?: Readonly<Record<string, Rename>>;
  /** Of a procedure that `defineContract` added: the one that it is called now. */
  readonly renamedTo?: string;
}

/** How tool lists show a procedure. What is decoded does not depend on it, and neither do documents, clients and the full profile. */
export interface ToolView {
  /** MCP name where the default (`notes_add` for `add` of `notes`) does not fit. */
  readonly name?: string;
  /** For people, as hosts show it: what it does to what, like `Add connection`. By default the procedure's name in words. */
  readonly title?: string;
  /** For models, in place of summary and description. */
  readonly description?: string;
  /**
   * The fields of the input that the list shows, each as it is (`true`), or as its type with this text, which may be empty. By default all of them. What is
   * not shown is taken all the same.
   */
  readonly fields?: Readonly<Record<string, string | true>>;
  /**
   * `core`: one of the few that a host which searches for tools loads at once. `full`: listed only with `?profile=full`, and called everywhere. By default
   * a tool is listed, and hosts find it.
   */
  readonly listed?: "core" | "full";
  /**
   * Its answer can be long: the list shows `limitTokens`, the tokens that a model reads of an answer (2,000 by default), and `fields`, the members of the output
   * that it wants. MCP takes both with every tool whose input has no field of that name.
   */
  readonly long?: true;
}

/** A text is the tool's name; `false` keeps the procedure off MCP. */
interface ToolOption {
  readonly tool?: string | false | ToolView;
}

/** A form to fill in: an object of texts, numbers, booleans and enums, since that is what every client can show. */
export interface FormQuestion<A extends Schema = Schema> {
  readonly kind: "form";
  /** When it is asked: completes "asked when ...". */
  readonly when: string;
  readonly answer: A;
}

/** Yes or no. */
export interface ConfirmQuestion {
  readonly kind: "confirm";
  /** When it is asked: completes "asked when ...". */
  readonly when: string;
}

/** What a handler may ask, as its contract declares it. */
export type QuestionDeclaration = FormQuestion | ConfirmQuestion;

/** The declared questions of a procedure, by name. */
export type QuestionMap = Readonly<Record<string, QuestionDeclaration>>;

/** The file that a caller sends with the input of an `upload`. */
export interface UploadRule {
  /** Bytes that it may have; what goes on after that is not read. */
  readonly maxBytes: number;
  /** Media types that are taken, like `image/png` or `image/*`. Any when left out. */
  readonly types?: readonly string[];
}

/** The file that a `download` gives. */
export interface DownloadRule {
  /** Media types that it may be of, like `image/png` or `image/*`. Any when left out. */
  readonly types?: readonly string[];
}

/** A procedure that only reads: it may be repeated, and over HTTP it is a GET as well as a POST. */
export interface Query<
  I extends Schema = Schema,
  O extends Schema = Schema,
  E extends ErrorMap = ErrorMap,
  Q extends QuestionMap = QuestionMap,
> extends ProcedureBase<I, O, E>,
    ToolOption {
  readonly kind: "query";
  readonly retry: "safe";
  readonly hints?: Pick<ProcedureHints, "openWorld">;
  readonly policy?: PolicyFor<"safe">;
  /** It may be started as a run, which outlives its caller: `run: {}`. */
  readonly run?: RunPolicyFor<"safe">;
  /** What its handler may ask a person, by name: `ask` and `confirm` declare them. */
  readonly questions?: Q;
  /** Of a query that `paginated` made: `next` of its output is the `cursor` of the next page. */
  readonly paginated?: true;
  /** Of a query that `download` made: it gives a file, which its output describes. */
  readonly download?: DownloadRule;
}

/** A procedure that may change something: POST over HTTP. It says how a repeat behaves. */
export interface Mutation<
  I extends Schema = Schema,
  O extends Schema = Schema,
  E extends ErrorMap = ErrorMap,
  R extends Exclude<RetrySafety, "safe"> = Exclude<RetrySafety, "safe">,
  Q extends QuestionMap = QuestionMap,
> extends ProcedureBase<I, O, E>,
    ToolOption {
  readonly kind: "mutation";
  readonly retry: R;
  readonly hints?: ProcedureHints;
  readonly policy?: PolicyFor<R>;
  /** It may be started as a run, which outlives its caller: `run: {}`. */
  readonly run?: RunPolicyFor<R>;
  /** What its handler may ask a person, by name: `ask` and `confirm` declare them. */
  readonly questions?: Q;
  /** Of a mutation that `upload` made: it takes a file beside its input. */
  readonly upload?: UploadRule;
}

/** A procedure that sends events until its caller or its service ends it. `output` is the schema of one event. */
export interface Subscription<I extends Schema = Schema, O extends Schema = Schema, E extends ErrorMap = ErrorMap>
  extends ProcedureBase<I, O, E> {
  readonly kind: "subscription";
  readonly retry: "safe";
  readonly tool?: false;
  readonly hints?: Pick<ProcedureHints, "openWorld">;
  /** The deadline does not apply: a subscription lives until one side ends it. */
  readonly policy?: Omit<PolicyFor<"safe">, "deadlineMs" | "retry">;
  readonly run?: never;
  readonly questions?: never;
}

/** One of the three kinds, as a contract lists them. */
export type Procedure = Query | Mutation | Subscription;

type ProcedureDefinition<P extends Procedure> = Omit<P, "kind" | "retry" | "paginated" | "upload" | "download">;

const queryShape = procedureShape("query");
const mutationShape = procedureShape("mutation");
const subscriptionShape = procedureShape("subscription");

const checkProcedure = <T extends object>(what: string, definition: T, shape: typeof queryShape): T =>
  checkPlacement(what, checkDefinition(what, definition, shape));

/** Reads something and changes nothing: always safe to repeat. */
export const query = <
  const I extends Schema,
  const O extends Schema,
  const E extends ErrorMap = Record<never, never>,
  const Q extends QuestionMap = Record<never, never>,
>(
  definition: ProcedureDefinition<Query<I, O, E, Q>>,
): Query<I, O, E, Q> => ({
  ...checkProcedure("query", definition, queryShape),
  kind: "query",
  retry: "safe",
});

/** Changes something; says how a repeat behaves. */
export const mutation = <
  const I extends Schema,
  const O extends Schema,
  const R extends Exclude<RetrySafety, "safe">,
  const E extends ErrorMap = Record<never, never>,
  const Q extends QuestionMap = Record<never, never>,
>(
  definition: ProcedureDefinition<Mutation<I, O, E, R, Q>> & { readonly retry: R },
): Mutation<I, O, E, R, Q> => ({ ...checkProcedure("mutation", definition, mutationShape), kind: "mutation" });

/** Streams events until either side ends it; each event may carry an id to resume from. */
export const subscription = <
  const I extends Schema,
  const O extends Schema,
  const E extends ErrorMap = Record<never, never>,
>(
  definition: ProcedureDefinition<Subscription<I, O, E>>,
): Subscription<I, O, E> => ({
  ...checkProcedure("subscription", definition, subscriptionShape),
  kind: "subscription",
  retry: "safe",
});

/** Declares a form: `questions: { target: ask({ when: "there are several", answer: z.object({ path: z.string() }) }) }`. */
export const ask = <const A extends Schema>(declaration: Omit<FormQuestion<A>, "kind">): FormQuestion<A> => ({
  ...checkDefinition("ask", declaration, questionShape),
  kind: "form",
});

/** Declares a question that is answered with yes or no: `questions: { overwrite: confirm({ when: "the file exists" }) }`. */
export const confirm = (declaration: Omit<ConfirmQuestion, "kind">): ConfirmQuestion => ({
  ...checkDefinition("confirm", declaration, confirmShape),
  kind: "confirm",
});

/** What a handler gets for each declared question of a procedure: a decision, or the decoded form. */
export type Answers<P> = P extends { readonly questions?: infer Q }
  ? {
      readonly [Name in keyof NonNullable<Q> & string as string extends Name ? never : Name]: AnswerTo<
        NonNullable<Q>[Name]
      >;
    }
  : never;

type AnswerTo<Q> = Q extends FormQuestion<infer A> ? SchemaOutput<A> : boolean;

/** Items a page. */
interface PageSize {
  /** Where the caller says nothing; 50 by default. */
  readonly default?: number;
  /** What a caller may ask for; 200 by default. */
  readonly most?: number;
}

const pageInput = <F extends z.core.$ZodLooseShape>(
  fields: z.ZodObject<F>,
  { default: usual = 50, most = 200 }: PageSize,
) =>
  fields.extend({
    cursor: z
      .string()
      .max(2_000)
      .optional()
      .describe("Where the page begins: `next` of the page before. The first page when left out."),
    pageSize: z.int().min(1).max(most).default(Math.min(usual, most)).describe(`Items a page, at most ${most}.`),
  });

const pageOutput = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item).describe("The items of this page, in order."),
    next: z.string().nullable().describe("The `cursor` of the next page; null after the last."),
    total: z.int().min(0).optional().describe("Items of all pages, where the service counts them."),
  });

type PageInput<F extends z.core.$ZodLooseShape> = ReturnType<typeof pageInput<F>>;
type PageOutput<T extends z.ZodType> = ReturnType<typeof pageOutput<T>>;

/** A query whose input has `cursor` and `pageSize`, and whose output has `items`, `next` and perhaps `total`. */
export type PaginatedQuery<F extends z.core.$ZodLooseShape, T extends z.ZodType, E extends ErrorMap> = Query<
  PageInput<F>,
  PageOutput<T>,
  E
> & { readonly paginated: true };

type PaginatedDefinition<F extends z.core.$ZodLooseShape, T extends z.ZodType, E extends ErrorMap> = Omit<
  PaginatedQuery<F, T, E>,
  "kind" | "retry" | "paginated" | "input" | "output"
> & {
  /** What it is a list of, like filters, without `cursor` and `pageSize`. */
  readonly input: z.ZodObject<F>;
  /** One item. */
  readonly item: T;
  readonly pageSize?: PageSize;
};

/**
 * A query that gives a long list in pages: adds the cursor and the page's size to the input, and makes the output. Clients iterate over all of it
 * (`client.list.items()`), the command line has `--all`. A cursor is the service's own text, which callers only send back: `encodeCursor` and
 * `decodeCursor` make one of where the next page begins.
 */
export const paginated = <
  const F extends z.core.$ZodLooseShape,
  const T extends z.ZodType,
  const E extends ErrorMap = Record<never, never>,
>(
  definition: PaginatedDefinition<F, T, E>,
): PaginatedQuery<F, T, E> => {
  const { input, item, pageSize = {}, ...rest } = checkDefinition("paginated", definition, paginatedShape);
  const made = query<PageInput<F>, PageOutput<T>, E>({
    ...rest,
    input: pageInput(input, pageSize),
    output: pageOutput(item),
  });
  return { ...made, paginated: true };
};

/**
 * A key for `.meta({ id, [toolSummary]: "The board by value; its fields: /schema/game.json" })`, for a large object that tools take, like a
 * whole document. Tool lists show an object with that sentence in place of its schema, since a model pays for every tool's schema in
 * every conversation. Other documents do not change, and neither does what is decoded.
 */
export const toolSummary = "x-tool-summary";

/** The key in a relayed tool's `_meta` that says which of its service's sources it comes from: those of one source have an MCP address of their own. */
export const toolSource = "fairlead/source";

/** The key of the same for a group of sources: an MCP address of its name has the tools of all of them. */
export const toolGroup = "fairlead/group";

/** As every surface says it. */
export const deprecationText = ({ since, use }: Deprecation): string =>
  `Deprecated since ${since}${use === undefined ? "" : `: use \`${use}\``}.`;

/** The key of that text in a field's `.meta()`. */
export const deprecationKey = "x-deprecated";

/** For a field that will go: `.meta(deprecated({ since: "1.2.0", use: "title" }))`. */
export const deprecated = (deprecation: Deprecation) =>
  ({ deprecated: true, [deprecationKey]: deprecationText(deprecation) }) as const;

/** The fields of an input itself that its contract marks as deprecated. */
export const deprecatedFields = (input: Schema): readonly string[] => {
  const def = schemaDef(asZod4(input));
  if (def.type !== "object") return [];
  return Object.entries(def.shape).flatMap(([name, field]) =>
    z.globalRegistry.get(field)?.deprecated === true ? [name] : [],
  );
};
