/** Lists in pages: asks for one page after the other until there is none. */
import { ClientError } from "./error.ts";

/** One item of a page. */
export type PageItem<O> = O extends { readonly items: readonly (infer T)[] } ? T : never;

/** What a page says of the list; anything else in it is the service's. */
interface ListPage {
  readonly items: readonly unknown[];
  readonly next?: string | null;
}

const isListPage = (value: unknown): value is ListPage =>
  typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items);

/** Pages from the input's `cursor` on. Throws a `ClientError` where a page names itself as the next one. */
export async function* eachPage(
  procedure: string,
  input: unknown,
  call: (input: unknown) => Promise<unknown>,
): AsyncGenerator<unknown> {
  const fields = typeof input === "object" && input !== null ? { ...input } : {};
  let cursor: unknown = "cursor" in fields ? fields.cursor : undefined;
  for (;;) {
    const page = await call(cursor === undefined ? fields : { ...fields, cursor });
    yield page;
    const next = isListPage(page) ? page.next : undefined;
    if (next === undefined || next === null) return;
    if (next === cursor) throw sameCursor(procedure);
    cursor = next;
  }
}

/** The items of all pages. */
export async function* eachItem(pages: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const page of pages) if (isListPage(page)) yield* page.items;
}

const sameCursor = (procedure: string): ClientError =>
  new ClientError(
    {
      code: "internal",
      message: `${procedure} names a page as the one after itself, so the list has no end`,
      retryable: false,
    },
    procedure,
  );
