/** What source that is linked by recipe may name: to be bundled, and sent along to where this package is not. */
import { portableDeclarations } from "../core/portable.ts";
import { locateCode } from "../core/query-error.ts";
import { parseScalar } from "../operator/convert.ts";
import { findDefinition } from "../type/definition.ts";
import { Decimal } from "../value/decimal.ts";
import { Sequence } from "../value/sequence.ts";
import { findSpelling } from "./linkage.ts";

/** By name. The declarations are those of modules that were loaded: import the package itself as well. */
export const languageLibrary = (): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(portableDeclarations()),
  Decimal,
  findDefinition,
  locateCode,
  parseScalar,
  Sequence,
  findSpelling,
});
