/** `fairlead describe`: a service with its procedures, or one procedure with its fields, its errors, its examples and its call in every form. */

import { bareText, exampleInput, fieldLines, type SnippetForm } from "@fairlead/kernel/reference";
import type { CommandModule } from "../command/command.ts";
import { UsageError } from "../command/failure.ts";
import { withKernel } from "../kernel/connect.ts";
import type { KernelConnection } from "../kernel/connection.ts";
import {
  createKernelClient,
  describeService,
  type ProcedureDescription,
  type ServiceStatus,
} from "../kernel/kernel-client.ts";
import { relayedTool } from "../kernel/relayed-tool.ts";
import { allForms } from "../snippet/collect.ts";
import { table } from "../terminal/table.ts";
import { wrap } from "../terminal/wrap.ts";

const describe: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "A service like weather, or a procedure like weather.forecast")
      .addHelpText("after", "\nExamples:\n  fairlead describe weather\n  fairlead describe weather.forecast --json\n");
  },

  run: async (context, { args }) => {
    const [service = "", procedure, ...more] = (args[0] ?? "").split(".");
    if (service === "" || procedure === "" || more.length > 0) {
      throw new UsageError(`${JSON.stringify(args[0])} is not a name`, "like weather or weather.forecast");
    }
    // What upstreams offer, only a kernel that runs knows.
    const isRelayed = relayedTool(args[0] ?? "") !== undefined;
    const describeWith = async (reached: KernelConnection): Promise<void> => {
      const found = await describeService(createKernelClient(context, reached), service, procedure);
      const [only] = found.procedures;
      if (procedure === undefined || only === undefined) {
        context.print({ ...found }, () => serviceText(found, context.url !== undefined));
        return;
      }
      const { path, kind } = await reached.procedure(only.name);
      const methods = kind === "mutation" ? ["POST"] : ["GET", "POST", "QUERY"];
      const tool = [...(await reached.tools())].find(([, name]) => name === only.name)?.[0];
      const places = [`HTTP: ${methods.join(", ")} ${path}`, ...(tool === undefined ? [] : [`MCP tool: ${tool}`])];
      const input = only.examples[0]?.input ?? exampleInput(only.input);
      const calls = await allForms(context, reached, { name: only.name, input });
      const http = { method: "POST", methods, path };
      context.print({ ...found, http, ...(tool !== undefined && { tool }), calls }, () =>
        [procedureText(only, places), "", callsText(only, calls)].join("\n"),
      );
    };
    await withKernel(context, describeWith, { running: isRelayed });
    return 0;
  },
};

interface ServiceDescription {
  readonly service: ServiceStatus;
  readonly procedures: readonly ProcedureDescription[];
}

/** How a service is can be said of a kernel that runs; one in this process was only just started. */
const serviceText = ({ service, procedures }: ServiceDescription, running: boolean): string =>
  [
    `${service.id} ${service.version}${running ? `, ${service.state}` : ""}`,
    wrap(service.summary, 0),
    ...(service.degraded === null ? [] : [`Degraded: ${service.degraded.why}; ${service.degraded.fix}`]),
    "",
    table(procedures.map(({ name, kind, summary }) => [`  ${name}`, kind, summary])),
  ].join("\n");

const procedureText = (described: ProcedureDescription, places: readonly string[]): string => {
  const { name, kind, summary, retry, access, deprecated, deadlineMs, placement, errors, input, output, examples } =
    described;
  const deadline = deadlineMs === null ? "no deadline" : `at most ${deadlineMs} ms`;
  const fields = (schema: typeof input): readonly string[] => {
    const lines = fieldLines(schema).flatMap(({ path, type, description }) => [
      `  ${type === "" ? wrap(`${path}:`, 6) : wrap(`${path}  ${type}`, 6).replace(/ /, "  ")}`,
      ...(description === "" ? [] : [`      ${wrap(description, 6)}`]),
    ]);
    return lines.length === 0 ? [`  ${bareText(schema)}`] : lines;
  };
  return [
    name,
    wrap(summary, 0),
    ...(deprecated === null ? [] : [deprecated]),
    ...places,
    `${kind}; a repeat is ${retry}; needs \`${access}\`; ${deadline}${placement === "here" ? "" : `; ${placement}`}`,
    ...runLines(described),
    "",
    "Input:",
    ...fields(input),
    "",
    kind === "subscription" ? "Each event:" : "Output:",
    ...fields(output),
    ...(errors.length === 0 ? [] : ["", "Errors:"]),
    ...errors.map(({ reason, code, when }) => `  ${wrap(`${reason} (${code}): ${when}`, 6)}`),
    ...(examples.length === 0 ? [] : ["", "Examples:", ...exampleLines(described)]),
  ].join("\n");
};

/** How it works as a run, and what it asks. */
const runLines = ({ name, run, questions }: ProcedureDescription): readonly string[] => {
  const kept = run?.onRestart === "resume" ? "goes on after a restart" : "fails when the kernel ends";
  return [
    ...(run === null
      ? []
      : [
          wrap(
            `As a run: \`fairlead call ${name} --start\`; ${kept}; at most ${run.attempts} attempts of ${run.deadlineMs} ms`,
            2,
          ),
        ]),
    ...questions.map((each) => wrap(`Asks ${each.name} (${each.kind}) when ${each.when}`, 2)),
  ];
};

const exampleLines = ({ examples }: ProcedureDescription): readonly string[] =>
  examples.flatMap(({ summary, input }) => [`  ${wrap(summary, 6)}`, `      ${JSON.stringify(input)}`]);

/** The first example, or an input made up, in every form. */
const callsText = ({ examples }: ProcedureDescription, calls: Readonly<Partial<Record<SnippetForm, string>>>): string =>
  [
    examples.length === 0 ? "The call, with values made up:" : "The call of the first example:",
    ...Object.entries(calls).flatMap(([form, snippet]) => [`  ${form}`, snippet.replace(/^(?=.)/gm, "    ")]),
  ].join("\n");

export default describe;
