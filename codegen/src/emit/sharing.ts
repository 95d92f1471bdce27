/**
 * Definitions of many schemas that go into one document or file: those that say the same, with all they refer to, get one name.
 *
 * Not here: what stands under the names (`bundle`, `emit/client`).
 */
import { defRef, type JsonSchema, reachable } from "../schema/json-schema.ts";

type Definitions = Readonly<Record<string, JsonSchema>>;

/** How one schema's local definitions are called in the document. */
export interface SharedDefinitions {
  /** Its own name for a definition, to the document's. */
  readonly names: ReadonlyMap<string, string>;
  /** Those that the document does not have yet, by their name there. */
  readonly fresh: readonly (readonly [string, JsonSchema])[];
}

/** Names for one document. `newName` says what a definition would be called if it were new. */
export const sharing = (): ((definitions: Definitions, newName: (local: string) => string) => SharedDefinitions) => {
  const taken = new Map<string, string>();
  return (definitions, newName) => {
    const names = new Map<string, string>();
    const fresh: (readonly [string, JsonSchema])[] = [];
    for (const [local, definition] of Object.entries(definitions)) {
      const text = JSON.stringify([local, [...reachable({ $ref: defRef(local) }, definitions)]]);
      const name = taken.get(text) ?? newName(local);
      if (!taken.has(text)) fresh.push([name, definition]);
      taken.set(text, name);
      names.set(local, name);
    }
    return { names, fresh };
  };
};
