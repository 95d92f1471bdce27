/** The files of an API's import: a contract, its operations as data, and the service that forwards. Texts only. */
import { block, importNames, indent, propertyKey, quote } from "../../print/text.ts";
import { describable, recursive } from "../../print/zod.ts";
import type { JsonSchema } from "../../schema/json-schema.ts";
import { NamedSchemas } from "./named-schemas.ts";
import type { PlannedError, PlannedProcedure } from "./operation.ts";

export interface ApiTexts {
  readonly id: string;
  /** As the document calls itself. */
  readonly title: string;
  readonly version: string;
  /** Where the document is from, as it was given to the command. */
  readonly source: string;
  /** The API's address; nothing where the document names none. */
  readonly url: string | undefined;
  readonly procedures: readonly PlannedProcedure[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Is at the head of what an import may overwrite. */
export const apiImportMark = "Written by `fairlead import openapi";

const longestSummary = 200;
const longestDescription = 4_000;

/** @param core module of the contract language */
export const apiContract = (texts: ApiTexts, core: string): string => {
  const { id, title, version, source, procedures } = texts;
  const schemas = new NamedSchemas(texts.schemas, id);
  const errors = new ErrorConstants(schemas);
  const members = procedures.map((procedure) => procedureText(procedure, schemas, errors)).join("\n");
  const constants = [...schemas.texts(), ...errors.texts()].join("\n\n");
  const kinds = [...new Set(procedures.map(({ kind }) => kind))];
  return `/**
 * The operations of ${comment(`${title} ${version}`)}, typed. ${apiImportMark} ${comment(source)}\`: run it again when they have
 * changed. The words are the document's.
 */
import * as z from "zod";
${importNames(core, ["defineContract", "error", ...kinds], "value")}

/** What every operation can fail with. */
const errors = {
  upstream_unavailable: error({ code: "unavailable", when: "the API could not be reached, or was lost while it worked" }),
  upstream_failed: error({
    code: "unknown",
    when: "the API answers with a status or a body that its document does not mention",
    data: z.object({
      status: z.int().describe("The status of its answer."),
      body: z.json().describe("The body of its answer; null for none."),
    }),
  }),
  upstream_changed: error({
    code: "failed_precondition",
    when: "the API's answer is not what its document says",
    hint: "run \`fairlead import openapi\` again, or correct the output in the contract",
  }),
};
${`${constants}${members}`.includes("recursive((") ? `\n${recursive}` : ""}${constants === "" ? "" : `\n${constants}\n`}
export default defineContract({
  id: ${quote(id)},
  version: "0.1.0",
  summary: ${quote(`Operations of ${title === "" ? "an HTTP API" : title}.`.slice(0, longestSummary))},
  procedures: {
${indent(members, "    ")}
  },
});
`;
};

/** Ends no comment. */
const comment = (text: string): string => text.replaceAll("*/", "*\\/").replace(/\s+/g, " ");

const procedureText = (procedure: PlannedProcedure, schemas: NamedSchemas, errors: ErrorConstants): string => {
  const { name, kind, retry, isDestructive, input, output } = procedure;
  const summary = procedure.summary.replace(/\s+/g, " ").trim();
  const description = (summary.length > longestSummary ? [summary, procedure.description] : [procedure.description])
    .join("\n\n")
    .trim();
  const declared = procedure.errors.map((one) => `${one.reason}: ${errors.constant(one)},`);
  const lines = [
    `summary: ${quote(summary.slice(0, longestSummary))},`,
    ...(description === "" ? [] : [`description: ${quote(description.slice(0, longestDescription))},`]),
    `input: ${schemas.print(input, "input")},`,
    `output: ${schemas.print(output, "output")},`,
    ...(kind === "query" ? [] : [`retry: ${quote(retry)},`]),
    isDestructive ? "hints: { destructive: true, openWorld: true }," : "hints: { openWorld: true },",
    declared.length === 0 ? "errors," : block("errors: {", ["...errors,", ...declared], "},"),
    "tool: false,",
  ];
  return block(`${propertyKey(name)}: ${kind}({`, lines, "}),");
};

/** Errors of the API that several operations declare alike, once each. */
class ErrorConstants {
  readonly #schemas: NamedSchemas;
  readonly #names = new Map<string, string>();

  constructor(schemas: NamedSchemas) {
    this.#schemas = schemas;
  }

  constant({ reason, code, when, body }: PlannedError): string {
    const said = body === undefined ? "z.json()" : this.#schemas.print(body, "output");
    const text = block(
      "error({",
      [
        `code: ${quote(code)},`,
        `when: ${quote(when)},`,
        block(
          "data: z.object({",
          [
            `status: z.int().describe("The status of its answer."),`,
            `body: ${describable(said)}.describe("What it says."),`,
          ],
          "}),",
        ),
      ],
      "})",
    );
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const camel = reason.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    const name = `${camel}Error${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }

  texts(): readonly string[] {
    return [...this.#names].map(([text, name]) => `const ${name} = ${text};`);
  }
}

/** How each procedure is asked of the API. */
export const apiOperations = ({ source, procedures }: ApiTexts): string => {
  const members = procedures.map(({ name, request }) => `${propertyKey(name)}: ${JSON.stringify(request)},`);
  return `/** How each procedure is asked of the API. ${apiImportMark} ${comment(source)}\`. */
${importNames("@fairlead/kernel/forward", ["ForwardedOperation"], "type")}

${block("export const operations = {", members, "} satisfies Readonly<Record<string, ForwardedOperation>>;")}
`;
};

/** @param contract module of the contract */
export const apiService = ({ id, url }: ApiTexts, contract: string): string => {
  const own = [
    importNames("@fairlead/kernel/forward", ["forwardedService"], "value"),
    `import contract from "${contract}";`,
  ];
  const imports = contract.startsWith("@") ? own.toReversed() : own;
  const members = [...(url === undefined ? [] : [`url: ${quote(url)}`]), "operations"].join(", ");
  return `/**
 * The ${id} service: asks an HTTP API. Its address and its credentials are settings: \`services.${id}.url\` and \`services.${id}.headers\`.
 */
${imports.join("\n")}
import { operations } from "./operations.ts";

export default forwardedService(contract, { ${members} });
`;
};
