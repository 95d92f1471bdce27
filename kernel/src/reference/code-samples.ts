/**
 * A document with each operation's call in every form, as viewers of OpenAPI documents show it (`x-codeSamples`). Pure.
 */
import { isRecord } from "../call/record.ts";
import { type DescribedProcedure, listOperations, type OpenApiDocument } from "./operations.ts";
import { exampleInput } from "./snippet/example-input.ts";
import { printCommand, printSnippet } from "./snippet/snippet.ts";
import { type SnippetForm, snippetForms } from "./snippet/snippet-call.ts";

/** Who calls. */
export interface SampleOptions {
  /** Of the kernel. */
  readonly url: string;
  /** Whether calls need a token, which samples read from `FAIRLEAD_TOKEN`. */
  readonly needsToken: boolean;
}

/** A call in one form. */
interface CodeSample {
  /** Of the language, as highlighters name it. */
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

const labels: Readonly<Record<SnippetForm, Omit<CodeSample, "source">>> = {
  curl: { lang: "bash", label: "curl" },
  typescript: { lang: "typescript", label: "TypeScript" },
  python: { lang: "python", label: "Python" },
  mcp: { lang: "json", label: "MCP" },
};

/** The call of the first example, or of an input made up, in every form that it has; none for a call with a file. */
export const codeSamples = (
  document: OpenApiDocument,
  operation: DescribedProcedure,
  options: SampleOptions,
): readonly CodeSample[] => {
  if (operation.hasFile) return [];
  const input = operation.examples[0]?.input ?? exampleInput(operation.input ?? {}, document);
  const call = { ...options, ...operation, input };
  const others = snippetForms.flatMap((form) => {
    const source = printSnippet(form, call);
    return source === undefined ? [] : [{ ...labels[form], source }];
  });
  return [{ lang: "bash", label: "Command", source: printCommand(call) }, ...others];
};

/** The document with the samples at each POST. */
export const withCodeSamples = (document: OpenApiDocument, options: SampleOptions): OpenApiDocument => {
  const samples = new Map(
    listOperations(document).map((operation) => [operation.path, codeSamples(document, operation, options)]),
  );
  const paths = Object.entries(isRecord(document.paths) ? document.paths : {}).map(([path, item]) => {
    const found = samples.get(path) ?? [];
    if (found.length === 0 || !isRecord(item) || !isRecord(item.post)) return [path, item] as const;
    return [path, { ...item, post: { ...item.post, "x-codeSamples": found } }] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) };
};
