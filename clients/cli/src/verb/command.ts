/** The command of a verb that a contract declares: reads its values, calls its steps, shows its document. */
import type { NamedVerb } from "@fairlead/contracts";
import type { Scope } from "@fairlead/contracts/view";
import type { CommandModule } from "../command/command.ts";
import { withKernel } from "../kernel/connect.ts";
import type { KernelConnection } from "../kernel/connection.ts";
import { mentionsTools, replaceToolNames } from "../kernel/tool-names.ts";
import { isRecord } from "../text/record.ts";
import { importListedTools } from "./import-tools.ts";
import { defineVerb, readValues } from "./input.ts";
import { runSteps, type VerbResult, type VerbRun } from "./steps.ts";
import { renderView } from "./view.ts";
import { startWatch } from "./watch.ts";

export const verbCommand = (verb: NamedVerb): CommandModule => ({
  define: (command) => defineVerb(verb, command),
  run: async (context, parsed) => {
    const { variables } = await readValues(verb, context, parsed);
    const choice = { running: verb.kernel === "running" };
    const work = async (kernel: KernelConnection): Promise<void> => {
      const run: VerbRun = { context, kernel, verb };
      const { watch } = verb;
      if (watch?.always === true) {
        await printResult(run, await runSteps(run, variables));
        await (await startWatch(run, { watch, variables }))();
        return;
      }
      const watched = parsed.flags[watch?.flag ?? "watch"] === true ? watch : undefined;
      const draw = async (): Promise<string> => showDocument(verb, (await runSteps(run, variables)).document);
      const follow = watched && (await startWatch(run, { watch: watched, variables, draw }));
      await printResult(run, await runSteps(run, variables));
      await follow?.();
    };
    await withKernel(context, work, choice);
    return 0;
  },
});

const showDocument = (verb: NamedVerb, document: Scope): string => renderView(document, verb.show) ?? "";

const printResult = async ({ context, kernel, verb }: VerbRun, { document, results }: VerbResult): Promise<void> => {
  const imported = verb.imports && (await importListedTools(context, verb.imports, results));
  const shown = imported === undefined ? document : { ...document, value: imported };
  const notes = (verb.notes ?? []).flatMap((view) => renderView(shown, view) ?? []);
  const text = showDocument(verb, shown);
  // A program gets the document as received, where tools have their own names.
  const namesTool = !context.json && [text, ...notes].some(mentionsTools);
  const tools = namesTool ? await kernel.tools() : new Map();
  const verbs = namesTool ? await kernel.verbs() : [];
  for (const note of notes) context.say(replaceToolNames(note, { tools, verbs }));
  if (!context.json && text === "") return;
  context.print(isRecord(shown.value) ? shown.value : { value: shown.value }, () =>
    replaceToolNames(text, { tools, verbs }),
  );
};
