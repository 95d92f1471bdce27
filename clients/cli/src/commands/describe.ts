/** `fairlead describe`: a service with its procedures, or one procedure with its fields and errors. */

import type { CommandModule } from "../command.ts";
import { UsageError } from "../failure.ts";
import { askKernel, describeService, type ProcedureDescription, type ServiceStatus } from "../kernel-client.ts";
import { fieldLines } from "../schema-text.ts";
import { table } from "../table.ts";

const describe: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "A service like rules, or a procedure like rules.resolveAttack")
      .addHelpText("after", "\nExamples:\n  fairlead describe rules\n  fairlead describe rules.resolveAttack --json\n");
  },

  run: async (context, { args }) => {
    const [service = "", procedure, ...more] = (args[0] ?? "").split(".");
    if (service === "" || procedure === "" || more.length > 0) {
      throw new UsageError(`${JSON.stringify(args[0])} is no name`, "like rules or rules.resolveAttack");
    }
    const found = await askKernel(context, (client) => describeService(client, service, procedure));
    context.print({ ...found }, () => {
      const [only] = found.procedures;
      return procedure === undefined || only === undefined ? serviceText(found) : procedureText(only);
    });
    return 0;
  },
};

interface Found {
  readonly service: ServiceStatus;
  readonly procedures: readonly ProcedureDescription[];
}

const serviceText = ({ service, procedures }: Found): string =>
  [
    `${service.id} ${service.version}, ${service.state}`,
    service.summary,
    ...(service.degraded === null ? [] : [`Degraded: ${service.degraded.why}; ${service.degraded.fix}`]),
    "",
    table(procedures.map(({ name, kind, summary }) => [`  ${name}`, kind, summary])),
  ].join("\n");

const procedureText = ({
  name,
  kind,
  summary,
  retry,
  access,
  deadlineMs,
  errors,
  input,
  output,
}: ProcedureDescription): string => {
  const deadline = deadlineMs === null ? "no deadline" : `at most ${deadlineMs} ms`;
  const fields = (schema: typeof input): readonly string[] => {
    const rows = fieldLines(schema).map(({ path, type, description }) => [`  ${path}`, type, description]);
    return rows.length === 0 ? ["  (nothing)"] : [table(rows)];
  };
  return [
    name,
    summary,
    `${kind}; a repeat is ${retry}; needs \`${access}\`; ${deadline}`,
    "",
    "Input:",
    ...fields(input),
    "",
    kind === "subscription" ? "Each event:" : "Output:",
    ...fields(output),
    ...(errors.length === 0 ? [] : ["", "Errors:"]),
    ...errors.map(({ reason, code, when }) => `  ${reason} (${code}): ${when}`),
  ].join("\n");
};

export default describe;
