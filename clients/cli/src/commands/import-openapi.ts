/** `fairlead import openapi`: a contract of an HTTP API's operations, and a service that forwards to it. */
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";
import { readApiDocument } from "../import/read-document.ts";

/** Of what is left out, as text. */
const mostShown = 20;

const importOpenapi: CommandModule = {
  kernel: "none",
  define: (command) => {
    command
      .argument("<document>", "An OpenAPI document, 3.0 to 3.2, as JSON or YAML: a path or an address")
      .option("--as <id>", "Id of the contract: lower-case letters and digits (default: made of the document's title)")
      .option("--paths <prefix...>", "Only operations whose path begins like this (default: all)")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead import openapi petstore.yaml\n  fairlead import openapi https://example.com/openapi.json --as shop --paths /orders\n",
      );
  },

  run: async (context, { args: [source = ""], flags }) => {
    const { importOpenApi } = await import("@fairlead/codegen");
    const document = await readApiDocument(source, context.cwd);
    const paths = Array.isArray(flags.paths) ? flags.paths.map(String) : undefined;
    const result = await importOpenApi({
      ...(await genOptions(context)),
      id: text(flags.as) ?? idFromTitle(document),
      document,
      source,
      ...(paths !== undefined && { paths }),
    });
    if (!result.ok) {
      const { message, fix } = result;
      if (!/exists already/.test(message)) throw new UsageError(message, fix);
      throw new CommandError({ code: "already_exists", exit: 8 }, { message, hint: fix });
    }
    const { written, procedures, left, losses, next } = result;
    context.print({ written, procedures, left, losses, next }, () =>
      [
        ...written.map((path) => `written  ${path}`),
        procedures === 1 ? "1 operation is a procedure" : `${procedures} operations are procedures`,
        ...shown("left out", left),
        ...shown("not in the contract", losses),
        ...next.map((step) => `next: ${step}`),
      ].join("\n"),
    );
    return 0;
  },
};

const shown = (
  how: string,
  all: readonly { readonly operation: string; readonly what: string }[],
): readonly string[] => {
  const lines = all.slice(0, mostShown).map(({ operation, what }) => `${how}: ${operation}: ${what}`);
  return all.length > mostShown ? [...lines, `${how}: ${all.length - mostShown} more; --json has all`] : lines;
};

/** Letters and digits of the title; refused by what takes it where that is no id. */
const idFromTitle = (document: unknown): string => {
  const info: unknown = typeof document === "object" && document !== null ? Reflect.get(document, "info") : undefined;
  const title: unknown = typeof info === "object" && info !== null ? Reflect.get(info, "title") : undefined;
  const words = String(title ?? "")
    .toLowerCase()
    .replace(/\bapi\b|\bopenapi\b/g, " ");
  return (
    words
      .replace(/[^a-z0-9]/g, "")
      .replace(/^[0-9]+/, "")
      .slice(0, 24) || "api"
  );
};

export default importOpenapi;
