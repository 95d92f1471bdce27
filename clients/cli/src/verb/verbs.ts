/** The verbs that there are: those of the project's manifest, and those of the kernel at `--url`. Neither starts a kernel. */
import type { NamedVerb } from "@fairlead/contracts";
import type { CommandRow } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { servedVerbs } from "../kernel/remote.ts";
import { parseVerbs } from "../kernel/verb-document.ts";
import { projectManifest } from "../owner/place.ts";

/** Verbs of the project's own services. */
export const projectVerbs = async (context: Context): Promise<readonly NamedVerb[]> => {
  const text = await (await projectManifest(context)).verbs?.();
  return text === undefined ? [] : parseVerbs(text);
};

/** Verbs of the kernel that was named; none where none was. */
export const kernelVerbs = async (context: Context): Promise<readonly NamedVerb[]> =>
  context.url === undefined ? [] : servedVerbs({ url: context.url, token: context.token() }, context);

/** The rows of verbs in the list of commands. */
export const verbRows = (verbs: readonly NamedVerb[]): readonly CommandRow[] =>
  verbs.map((verb) => ({
    name: verb.name,
    summary: verb.summary,
    load: async () => ({ default: (await import("./command.ts")).verbCommand(verb) }),
  }));
