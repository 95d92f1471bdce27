/**
 * A query that gives a long list in pages: `paginated({ input, item })` adds the cursor and the page's size to the input and makes the output.
 * Clients iterate over all of it (`client.list.items()`), the command line has `--all`.
 *
 * A cursor is the service's own text, which callers only send back: `encodeCursor` and `decodeCursor` make one of where the next page begins.
 */
import * as z from "zod";
import { decoder } from "./decoder.ts";
import { checkDefinition, paginatedShape } from "./definition-check.ts";
import { type ErrorMap, FairleadError } from "./error.ts";
import { type Query, query } from "./procedure.ts";
import type { Schema, SchemaOutput } from "./schema/schema.ts";

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

/** Reads a list in pages. Everything else is a query's. */
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

/** Where a page begins, like the key of the last item before it, as a cursor. */
export const encodeCursor = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString("base64url");

/** The place that a cursor says. Throws a `FairleadError` (`invalid_argument`) for a text that is no cursor of this list. */
export const decodeCursor = <S extends Schema>(schema: S, cursor: string): SchemaOutput<S> => {
  const decoded = decoder<SchemaOutput<S>>(schema)(parseCursor(cursor));
  if (decoded.ok) return decoded.value;
  throw wrongCursor();
};

const parseCursor = (cursor: string): unknown => {
  const bytes = Buffer.from(cursor, "base64url");
  // What is no base64url is passed over by the reader, and is missing when it is written again.
  if (bytes.toString("base64url") !== cursor) throw wrongCursor();
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw wrongCursor();
  }
};

const wrongCursor = (): FairleadError =>
  new FairleadError({
    code: "invalid_argument",
    message: "the cursor is none of this list",
    issues: [
      { path: "cursor", expected: "`next` of an earlier page", fix: "leave it out to begin with the first page" },
    ],
  });
