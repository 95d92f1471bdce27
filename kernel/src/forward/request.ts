/** From a decoded input to a request of the API. Pure. Not here: sending it (`forwarded-service`). */
import { FairleadError } from "@fairlead/contracts";
import type { ForwardedField, ForwardedOperation } from "./operation.ts";

/** A request, without what every request of the API has. */
export interface ForwardedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
}

type InputFields = Readonly<Record<string, unknown>>;

/** Throws `invalid_argument` where a value cannot be written in its place. */
export const forwardedRequest = (operation: ForwardedOperation, base: string, input: unknown): ForwardedRequest => {
  const given: InputFields = { ...Object(input) };
  const headers = new Headers({ accept: accepted[operation.answer] });
  const query: (readonly [string, string])[] = [];
  let { path } = operation;
  for (const [field, place] of Object.entries(operation.fields)) {
    const value = given[field];
    if (value === undefined || value === null) continue;
    if (place.in === "path") path = path.replaceAll(`{${place.name}}`, pathPart(field, value));
    else if (place.in === "query") query.push(...queryPairs(place, value));
    else setHeader(headers, { field, name: place.name, value });
  }
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, "")}${path}`;
  for (const [name, value] of query) url.searchParams.append(name, value);
  const { method, body: as } = operation;
  if (as === undefined || given.body === undefined) return { url, method, headers };
  headers.set("content-type", bodyTypes[as]);
  return { url, method, headers, body: bodyText(as, given.body) };
};

const accepted = { json: "application/json", text: "text/plain, text/*;q=0.9, */*;q=0.1", nothing: "*/*" } as const;

const bodyTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
} as const;

const bodyText = (as: keyof typeof bodyTypes, body: unknown): string => {
  if (as === "json") return JSON.stringify(body);
  if (as === "text") return plain(body);
  const pairs = Object.entries({ ...Object(body) }).flatMap(([name, value]) => nestedPairs(name, value));
  const form = new URLSearchParams();
  for (const [name, value] of pairs) form.append(name, value);
  return form.toString();
};

/** One part of a path: never two, and never a step up. */
const pathPart = (field: string, value: unknown): string => {
  const text = Array.isArray(value) ? value.map(plain).join(",") : plain(value);
  if (text !== "" && text !== "." && text !== "..") return encodeURIComponent(text);
  const message = `\`${field}\` is a part of the API's path and cannot be ${JSON.stringify(text)}`;
  throw new FairleadError({ code: "invalid_argument", message, hint: "give it another value" });
};

const setHeader = (
  headers: Headers,
  { field, name, value }: { readonly field: string; readonly name: string; readonly value: unknown },
): void => {
  try {
    headers.set(name, Array.isArray(value) ? value.map(plain).join(", ") : plain(value));
  } catch (cause) {
    const message = `\`${field}\` goes in a header, which cannot have such a value`;
    throw new FairleadError({ code: "invalid_argument", message, hint: "leave out ends of lines" }, { cause });
  }
};

const separators = { list: ",", spaces: " ", pipes: "|" } as const;

const queryPairs = (
  { name, style = "form" }: ForwardedField,
  value: unknown,
): readonly (readonly [string, string])[] => {
  if (style === "deep") return nestedPairs(name, value);
  if (Array.isArray(value))
    return style === "form"
      ? value.map((item) => [name, plain(item)])
      : [[name, value.map(plain).join(separators[style])]];
  if (typeof value !== "object" || value === null) return [[name, plain(value)]];
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return style === "form"
    ? entries.map(([key, inner]) => [key, plain(inner)])
    : [[name, entries.flatMap(([key, inner]) => [key, plain(inner)]).join(separators[style])]];
};

/** `a[b]=c` for objects, `a[0]=c` for lists of objects, `a=b` again and again for other lists. */
const nestedPairs = (name: string, value: unknown): readonly (readonly [string, string])[] => {
  if (value === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((item, at) =>
      typeof item === "object" && item !== null ? nestedPairs(`${name}[${at}]`, item) : [[name, plain(item)] as const],
    );
  if (typeof value !== "object" || value === null) return [[name, plain(value)]];
  return Object.entries(value).flatMap(([key, inner]) => nestedPairs(`${name}[${key}]`, inner));
};

const plain = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value === null ? "" : String(value);
