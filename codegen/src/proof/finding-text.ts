/** The words for what the proof of a schema found. Not here: finding it (`proof/`). */
import { type Diagnostic, type DiagnosticCode, type DiagnosticPlace, diagnostic } from "../model/diagnostics.ts";
import type { ProofFinding } from "./finding.ts";

interface Words {
  readonly code: DiagnosticCode;
  readonly message: (finding: ProofFinding) => string;
  readonly fix: string;
}

const ofCompiler =
  "remove what `.meta()` says of it; without `.meta()`, write the schema another way, or the rule in .refine(), which makes it a note";

const words: Readonly<Record<ProofFinding["kind"], Words>> = {
  looser: {
    code: "schema_looser",
    message: ({ value, detail }) => `the published schema takes ${value}, which the kernel refuses: ${detail}`,
    fix: ofCompiler,
  },
  own_rule: {
    code: "schema_own_rule",
    message: ({ value, detail }) =>
      `only the kernel checks a rule, since JSON Schema cannot express it: it refuses ${value}: ${detail}`,
    fix: "say it in the description, so that callers know it, too",
  },
  tighter: {
    code: "schema_tighter",
    message: ({ value, detail }) => `the published schema refuses ${value}, which the kernel takes: ${detail}`,
    fix: ofCompiler,
  },
  gives_other: {
    code: "schema_gives_other",
    message: ({ value, detail }) => `the kernel would give ${value}, which the published schema refuses: ${detail}`,
    fix: "let rules follow what changes a value, like .overwrite(), and remove what `.meta()` says of it",
  },
  type_looser: {
    code: "schema_type_differs",
    message: ({ value, detail }) => `the TypeScript type has ${value}, which the published schema refuses: ${detail}`,
    fix: ofCompiler,
  },
  type_tighter: {
    code: "schema_type_differs",
    message: ({ value }) => `the TypeScript type does not have ${value}, which the published schema takes`,
    fix: ofCompiler,
  },
  not_strict: {
    code: "schema_not_strict",
    message: ({ detail }) => `a strict reader refuses the published schema itself: ${detail}`,
    fix: "correct what `.meta()` says of it; without `.meta()`, write the schema another way",
  },
  async: {
    code: "schema_async",
    message: ({ value }) =>
      `a rule of the schema waits for a promise at ${value}, and decoding does not wait: such a call would fail`,
    fix: "check what needs waiting in the handler",
  },
  throws: {
    code: "schema_throws",
    message: ({ value, detail }) =>
      `a function of the schema throws at ${value}, so that the call fails with \`internal\`: ${detail}`,
    fix: "return false from .refine(), or add to `ctx.issues`, and throw nothing; where it is Zod that throws, correct what it was given",
  },
};

export const describeFinding = (finding: ProofFinding, at: DiagnosticPlace): Diagnostic => {
  const { code, message, fix } = words[finding.kind];
  return diagnostic(code, at, { message: message(finding), fix });
};
