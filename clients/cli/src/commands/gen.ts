/** `fairlead gen`: writes what follows from the contracts, or says what would change. */
import type { Diagnostic, DriftResult, GenerateOptions, GenerateResult } from "@fairlead/codegen";
import type { CommandModule } from "../command/command.ts";
import { type Context, schemaVersion } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";
import { sayIfLoaded } from "../owner/loaded-notice.ts";
import { exitOfSignal } from "../terminal/io.ts";

const gen: CommandModule = {
  kernel: "none",
  define: (command) => {
    command
      .option("--check", "Change nothing; exit 9 when something would change")
      .option("--watch", "Generate again whenever a contract changes")
      .addHelpText("after", "\nExamples:\n  fairlead gen\n  fairlead gen --check\n");
  },

  run: async (context, { flags }) => {
    if (flags.check === true && flags.watch === true) throw new UsageError("--check and --watch exclude each other");
    const options = await genOptions(context);
    if (flags.check === true) return check(context, options);
    if (flags.watch === true) return watchContracts(context, options);
    const { generate } = await import("@fairlead/codegen");
    const result = await generate(options);
    await printDiagnostics(context, result.diagnostics);
    if (result.ok || context.json) context.print(resultDocument(result), () => resultText(result));
    if (!result.ok) throw contractsInvalid(result.diagnostics);
    if (result.written.length + result.removed.length > 0) await sayIfLoaded(context);
    return 0;
  },
};

const check = async (context: Context, options: GenerateOptions): Promise<number> => {
  const { checkDrift } = await import("@fairlead/codegen");
  const result: DriftResult = await checkDrift(options);
  await printDiagnostics(context, result.diagnostics);
  const { ok, drift, diagnostics } = result;
  const lines = (): string =>
    drift.length === 0
      ? "everything generated is current"
      : drift.map(({ change, path }) => `${change}  ${path}`).join("\n");
  if (ok || context.json) context.print({ ok: ok && drift.length === 0, drift, diagnostics }, lines);
  if (!ok) throw contractsInvalid(diagnostics);
  if (drift.length === 0) return 0;
  const message = `${files(drift.length)} not what the contracts say`;
  throw new CommandError({ code: "drift", exit: 9 }, { message, hint: "run `fairlead gen` and commit the result" });
};

const watchContracts = async (context: Context, options: GenerateOptions): Promise<number> => {
  const { watch } = await import("@fairlead/codegen");
  const say = (result: GenerateResult): void => {
    void printDiagnostics(context, result.diagnostics);
    if (context.json) context.io.out(JSON.stringify({ schemaVersion, ...resultDocument(result) }));
    else if (result.ok) context.io.out(resultText(result));
  };
  await watch(options, say, context.io.signal);
  return exitOfSignal(context.io.signal.reason);
};

const resultDocument = ({ ok, written, unchanged, removed, diagnostics, tokens }: GenerateResult) => ({
  ok,
  written,
  removed,
  unchanged: unchanged.length,
  diagnostics,
  tokens,
});

const resultText = ({ written, removed, unchanged, tokens }: GenerateResult): string =>
  [
    ...written.map((path) => `written  ${path}`),
    ...removed.map((path) => `removed  ${path}`),
    `${written.length} written, ${removed.length} removed, ${unchanged.length} unchanged`,
    ...tokens.map(
      (cost) => `${cost.endpoint}: ${cost.tools} tools, about ${cost.seen} tokens for a model, ${cost.tokens} to list`,
    ),
  ].join("\n");

/** Errors are printed even with --quiet. With --json they are in the document. */
const printDiagnostics = async (context: Context, diagnostics: readonly Diagnostic[]): Promise<void> => {
  if (diagnostics.length === 0 || context.json) return;
  const { diagnosticLine } = await import("@fairlead/codegen");
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === "error") context.io.err(diagnosticLine(diagnostic));
    else context.say(diagnosticLine(diagnostic));
  }
};

const contractsInvalid = (diagnostics: readonly Diagnostic[]): CommandError => {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const message = `nothing was generated: ${errors.length === 1 ? "an error" : `${errors.length} errors`} in the contracts`;
  const text = { message, hint: "fix what is listed above", data: { diagnostics: errors.slice(0, 20) } };
  return new CommandError({ code: "contract_invalid", exit: 2 }, text);
};

const files = (count: number): string => (count === 1 ? "one file is" : `${count} files are`);

export default gen;
