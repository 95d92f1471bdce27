/** The reference of services, made from their OpenAPI document: calls in every form, Markdown, and fields as lines of text. Pure; for commands and pages. */
export { type SampleOptions, withCodeSamples } from "./reference/code-samples.ts";
export { listServices, llmsText, serviceMarkdown } from "./reference/markdown.ts";
export type { OpenApiDocument } from "./reference/operations.ts";
export { bareText, fieldLines, resolveRef } from "./reference/schema/schema-text.ts";
export { exampleInput } from "./reference/snippet/example-input.ts";
export { printSnippet } from "./reference/snippet/snippet.ts";
export {
  type PythonNames,
  type SnippetCall,
  type SnippetFile,
  type SnippetForm,
  snippetForms,
} from "./reference/snippet/snippet-call.ts";
