/** Types by their names, where they are no predefined scalars. */

import type { HostAccess } from "./host.ts";
import { systemEnum } from "./system-enum.ts";
import type { TypeDefinition } from "./type.ts";

/** The host's, else an enum of .NET's. */
export const findDefinition = (name: string, host: HostAccess): TypeDefinition | undefined =>
  host.type(name) ?? systemEnum(name);
