/**
 * Resources of contracts as a caller has them: what there is, the text at an address, and what completes a field of one. All of it is calls of the
 * contracts' queries with the caller's own rights; nothing is kept.
 *
 * Not here: following one (`follow.ts`), and the wires (MCP's, and the procedures of the kernel's contract).
 */
import type { Contract, WireError } from "@fairlead/contracts";
import type { CallRequest, Dispatch } from "../call/call.ts";
import { isRecord, readMember } from "../call/record.ts";
import {
  type FoundResource,
  fieldNames,
  findResource,
  memberName,
  type NamedResource,
  resourcesIn,
  resourceTemplate,
  resourceUri,
} from "./address.ts";
import { type AskQuery, type Completion, complete, fillInput, listChoices, type TypedValue } from "./choices.ts";

/** What resources are read with. */
export interface ResourceSource {
  /** Of the services that the caller sees. */
  readonly contracts: readonly Contract[];
  readonly dispatch: Dispatch;
  /** Whose rights and time it is. */
  readonly terms: Omit<CallRequest, "procedure" | "input">;
}

interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

interface ListedTemplate extends Omit<ListedResource, "uri"> {
  readonly uriTemplate: string;
}

interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

type ResourceReply =
  | { readonly ok: true; readonly value: ResourceText }
  | { readonly ok: false; readonly error: WireError };

/** Of one resource with a field whose values can be listed. */
const mostListed = 100;
/** Queries of one list that run at once. */
const atOnce = 4;

const mediaType = ({ resource: { text, type } }: NamedResource): string =>
  text === undefined ? "application/json" : (type ?? "text/plain");

const describe = (named: NamedResource): Omit<ListedResource, "uri"> => ({
  name: named.name,
  title: named.resource.title,
  description: named.resource.summary,
  mimeType: mediaType(named),
});

/** Those without a field, and of each with one field the first hundred. */
export const listResources = async (source: ResourceSource): Promise<readonly ListedResource[]> => {
  const listed: ListedResource[][] = [];
  const left = [...resourcesIn(source.contracts).entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, named] = next;
      listed[at] = await listOne(source, named);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return listed.flat();
};

const listOne = async (source: ResourceSource, named: NamedResource): Promise<ListedResource[]> => {
  const [field, ...more] = fieldNames(named.resource);
  if (field === undefined) return [{ uri: resourceUri(named, {}), ...describe(named) }];
  if (more.length > 0) return [];
  const choices = named.resource.fields?.[field]?.choices;
  const values = await listChoices(named.service, choices, { ask: asker(source), typed: "", values: {} });
  return values.slice(0, mostListed).map((value) => ({
    uri: resourceUri(named, { [field]: value }),
    ...describe(named),
    title: `${named.resource.title}: ${value}`,
  }));
};

export const listTemplates = (contracts: readonly Contract[]): readonly ListedTemplate[] =>
  resourcesIn(contracts)
    .filter(({ resource }) => fieldNames(resource).length > 0)
    .map((named) => ({ uriTemplate: resourceTemplate(named), ...describe(named) }));

/** The query's input for an address. */
export const readInput = ({ resource: { input }, values }: FoundResource): unknown =>
  input === undefined ? values : fillInput(input, values);

/** Nothing for an address that no resource has. */
export const readResource = async (source: ResourceSource, uri: string): Promise<ResourceReply | undefined> => {
  const found = findResource(source.contracts, uri);
  return found === undefined ? undefined : readFound(source, found);
};

export const readFound = async (
  { dispatch, terms }: Pick<ResourceSource, "dispatch" | "terms">,
  found: FoundResource,
): Promise<ResourceReply> => {
  const { service, resource, uri } = found;
  const reply = await dispatch.call({ ...terms, procedure: `${service}.${resource.read}`, input: readInput(found) });
  if (!reply.ok) return reply;
  const text = resource.text === undefined ? undefined : textAt(reply.value, resource.text.split("."));
  const isText = text !== undefined;
  return {
    ok: true,
    value: {
      uri,
      mimeType: isText ? mediaType(found) : "application/json",
      text: isText ? text : JSON.stringify(reply.value),
    },
  };
};

const textAt = (value: unknown, [name, ...rest]: readonly string[]): string | undefined => {
  if (name === undefined) return typeof value === "string" ? value : undefined;
  return isRecord(value) ? textAt(readMember(value, name), rest) : undefined;
};

/** Values of a field of the resource that has this template; nothing for a template that there is not. */
export const completeField = async (
  source: ResourceSource,
  { template, field, ...typed }: TypedValue & { readonly template: string; readonly field: string },
): Promise<Completion | undefined> => {
  const named = resourcesIn(source.contracts).find((each) => resourceTemplate(each) === template);
  if (named === undefined) return undefined;
  const { fields = {} } = named.resource;
  const choices = Object.hasOwn(fields, field) ? fields[field]?.choices : undefined;
  return complete(await listChoices(named.service, choices, { ...typed, ask: asker(source) }), typed.typed);
};

/** The same for an argument of the prompt of that name. */
export const completePrompt = async (
  source: ResourceSource,
  { prompt: name, argument, ...typed }: TypedValue & { readonly prompt: string; readonly argument: string },
): Promise<Completion | undefined> => {
  for (const { id, prompts = {} } of source.contracts)
    for (const [key, { arguments: args = {} }] of Object.entries(prompts)) {
      if (memberName(id, key) !== name) continue;
      const choices = Object.hasOwn(args, argument) ? args[argument]?.choices : undefined;
      return complete(await listChoices(id, choices, { ...typed, ask: asker(source) }), typed.typed);
    }
  return undefined;
};

/** With the caller's rights: what may not be asked completes nothing. */
export const asker =
  ({ dispatch, terms }: Pick<ResourceSource, "dispatch" | "terms">): AskQuery =>
  (procedure, input) =>
    dispatch.call({ ...terms, procedure, input }).then((reply) => (reply.ok ? reply.value : undefined));
