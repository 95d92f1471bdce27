/** The command of a procedure: a flag for each field of its input, and the call. */
import { Option } from "commander";
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { readInput } from "../command/input.ts";
import { withKernel } from "../kernel/connect.ts";
import { isRecord, type JsonRecord } from "../text/record.ts";
import { type FieldFlag, fieldFlags, readField } from "./field-flag.ts";
import { defineCallFlags, runCall } from "./run-call.ts";

export interface ProcedureSource {
  readonly service: string;
  readonly procedure: string;
  /** JSON Schema of its input, with the definitions that it refers to. */
  readonly input: JsonRecord;
}

export const procedureCommand = ({ service, procedure, input: schema }: ProcedureSource): CommandModule => {
  const flags = fieldFlags(schema);
  const name = `${service}.${procedure}`;
  return {
    usageHint: `run \`fairlead ${service} ${procedure} --help\` for its flags`,
    define: (command) => {
      command.optionsGroup("Fields of the input:");
      for (const flag of flags) for (const option of toOptions(flag)) command.addOption(option);
      command.option("-d, --data <json>", "The input, or more of it: JSON, @file, or - for stdin");
      command.optionsGroup("Flags of the call:");
      defineCallFlags(command).addHelpText(
        "after",
        `\nThe same as \`fairlead call ${name}\`; \`fairlead describe ${name}\` says more.\n`,
      );
    },
    run: async (context, { flags: typed, args }) => {
      const [word] = args;
      if (word !== undefined)
        throw new UsageError(
          `${JSON.stringify(word)} belongs to no flag`,
          switchHint(word, flags, typed) ?? `run \`fairlead ${service} ${procedure} --help\``,
        );
      const data = await readInput(text(typed.data), { cwd: context.cwd, stdin: context.io.stdin });
      const fields = flags.flatMap((flag) => {
        const value = typed[new Option(flag.name).attributeName()];
        return value === undefined ? [] : [[flag.field, readField(flag, value)] as const];
      });
      if (fields.length > 0 && !isRecord(data))
        throw new UsageError("--data holds no JSON object", "give an object, or no flags");
      const input = isRecord(data) ? { ...data, ...Object.fromEntries(fields) } : data;
      await withKernel(context, (kernel) => runCall(context, kernel, { name, input, flags: typed }), {
        needs: [service],
      });
      return 0;
    },
  };
};

/** `--loud false`: what is on or off takes no value. */
export const switchHint = (
  word: string,
  flags: readonly FieldFlag[],
  typed: Readonly<Record<string, unknown>>,
): string | undefined => {
  if (word !== "true" && word !== "false") return undefined;
  const on = flags.filter(({ kind, name }) => kind === "switch" && typed[new Option(name).attributeName()] === true);
  return on.length === 0
    ? undefined
    : on
        .map(({ name }) => `${name} takes no value: write ${name} for true, --no-${name.slice(2)} for false`)
        .join("; ");
};

const toOptions = ({ name, kind, many, about }: FieldFlag): readonly Option[] => {
  if (kind === "switch") return [new Option(name, about), new Option(`--no-${name.slice(2)}`, `Not ${name}`)];
  const value = kind === "json" ? "json" : kind === "number" ? "number" : "text";
  return [new Option(`${name} <${value}${many ? "..." : ""}>`, about)];
};
