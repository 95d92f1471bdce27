/** Writes a contract of the tools that a verb's steps have listed. Not here: the contract's text (codegen). */
import type { UpstreamTool } from "@fairlead/codegen";
import type { VerbImport } from "@fairlead/contracts";
import { itemsAt, type Scope, showValue, valueAt } from "@fairlead/contracts/view";
import type { Context } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";
import { renderView } from "./view.ts";

/** What was written, what was left out and why, and what to do next. */
export const importListedTools = async (
  context: Context,
  { through, tools, connection, id, next }: VerbImport,
  scope: Scope,
): Promise<Readonly<Record<string, unknown>>> => {
  const { importTools } = await import("@fairlead/codegen");
  const name = showValue(valueAt(scope, connection));
  const named = valueAt(scope, id);
  const result = await importTools({
    ...(await genOptions(context)),
    id: typeof named === "string" ? named : name.toLowerCase().replace(/[^a-z0-9]/g, ""),
    connection: name,
    through,
    // The kernel has checked its output against the contract, which says that these are tools.
    tools: itemsAt(scope, tools) as readonly UpstreamTool[],
  });
  if (!result.ok) {
    const { message, fix } = result;
    if (/exists already/.test(message)) {
      throw new CommandError({ code: "already_exists", exit: 8 }, { message, hint: fix });
    }
    throw new UsageError(message, fix);
  }
  const { written, left } = result;
  const first = next.map((view) => renderView(scope, view)).filter((text) => text !== undefined);
  return { written, next: [...first, ...result.next], left };
};
