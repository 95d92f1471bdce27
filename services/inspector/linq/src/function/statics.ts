/** What a predefined type has without an instance. */
import type { MethodTable } from "./method.ts";
import type { PropertyTable } from "./property.ts";

export interface StaticMembers {
  readonly properties: PropertyTable;
  readonly methods: MethodTable;
}
