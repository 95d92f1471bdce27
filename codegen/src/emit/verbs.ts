/** Emits `verbs.json`: the command-line verbs of all services, which the command renders. None where no contract declares a verb. */
import { type VerbDocument, verbDocumentVersion } from "@fairlead/contracts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { bannerText, jsonDocument } from "../print/text.ts";

export const emitVerbs = ({ services, out }: GeneratorProject): readonly GeneratedFile[] => {
  const verbs = services.flatMap((service) => service.verbs);
  if (verbs.length === 0) return [];
  const document: VerbDocument = { version: verbDocumentVersion, verbs };
  return [{ path: `${out.schemas}/verbs.json`, text: jsonDocument({ $comment: bannerText(services), ...document }) }];
};
