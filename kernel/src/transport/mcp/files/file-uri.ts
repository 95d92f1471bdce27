/**
 * The resource that a download's answer is linked to: `fairlead://album/get?title=cat`. It names the procedure and its input, so that nothing is stored, it
 * outlives the kernel, and whoever reads it calls the procedure with rights of their own.
 *
 * Not here: reading it (`resources.ts`).
 */
import { inputToQuery, type Procedure, queryParameters, queryToInput } from "@fairlead/contracts";
import { isRecord } from "../../../call/record.ts";
import { mayBeInAddress } from "../../http/files/address.ts";

const scheme = "fairlead://";
/** Begins an input that no query string can have: the rest is its JSON. No field of JavaScript's is likely to be called that, and one that is goes this way, too. */
const json = "$";

/** What a resource is of. */
interface FileAddress {
  /** Full name, like `album.get`. */
  readonly procedure: string;
  /** The input as the query of the address has it. */
  readonly query: string;
}

/** Nothing for an input that may be in no address. */
export const fileUri = (name: string, procedure: Procedure, input: unknown): string | undefined => {
  const own = isRecord(input) && Object.hasOwn(input, json) ? undefined : inputToQuery(procedure, input);
  const query = own ?? new URLSearchParams({ [json]: JSON.stringify(input) }).toString();
  if (!mayBeInAddress(procedure, input, query)) return undefined;
  return `${scheme}${name.replace(".", "/")}${query === "" ? "" : `?${query}`}`;
};

/** Nothing for what is no address of a file. */
export const parseFileUri = (uri: string): FileAddress | undefined => {
  const [, service, name, query = ""] = /^fairlead:\/\/([a-z][a-z0-9-]{0,63})\/(\w{1,64})(?:\?(.*))?$/.exec(uri) ?? [];
  return service === undefined || name === undefined ? undefined : { procedure: `${service}.${name}`, query };
};

/** The raw input in such an address; nothing where it is not JSON. */
export const addressedInput = (query: string, procedure: Procedure): unknown => {
  const text = new URLSearchParams(query).get(json);
  if (text === null) return queryToInput(procedure, query);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * The addresses of all files of a procedure, by RFC 6570, without the fields that its contract marks as secret; nothing where one of those is among the
 * `required` ones, since then there are none.
 */
export const fileTemplate = (
  name: string,
  procedure: Procedure,
  required: readonly unknown[] = [],
): string | undefined => {
  const all = [...queryParameters(procedure)].map(([field, type]) => {
    const isList = type.endsWith("[]");
    const isOpen = mayBeInAddress(procedure, { [field]: isList ? [anyText] : anyText }, "");
    return { field, isList, isOpen };
  });
  if (all.some(({ field, isOpen }) => !isOpen && required.includes(field))) return undefined;
  const fields = all.flatMap(({ field, isList, isOpen }) => (isOpen ? [isList ? `${field}*` : field] : []));
  return `${scheme}${name.replace(".", "/")}${fields.length === 0 ? "" : `{?${fields.join(",")}}`}`;
};

/** In place of a value: whether a field is secret does not depend on it. */
const anyText = "any";
