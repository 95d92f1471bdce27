/**
 * Proves every schema of contracts that was not proved before. Runs where the schemas are (`load/worker`); what tries the values is
 * loaded when there is something to try.
 *
 * Not here: how one schema is proved (`prove`), and where proofs are kept (`proof-store`).
 */
import { hash } from "node:crypto";
import type { Contract, Schema } from "@fairlead/contracts";
import { version as zod } from "zod/v4/core";
import type { Diagnostic, DiagnosticPlace } from "../model/diagnostics.ts";
import type { ServiceModel } from "../model/model.ts";
import type { LoweredSchema, SchemaSide } from "../schema/lower.ts";
import { schemaText } from "../schema/zod-text.ts";
import type { ProofFinding } from "./finding.ts";
import { describeFinding } from "./finding-text.ts";
import { once } from "./once.ts";
import type { KnownProofs } from "./proof-store.ts";
import { proofVersion } from "./proof-version.ts";

interface ProofSettings {
  /** Values for each schema. */
  readonly values: number;
  readonly known: KnownProofs;
  /** A text that changes with the sources of the contract and of what it imports. */
  readonly sources: () => string;
}

export interface ContractProof {
  readonly diagnostics: readonly Diagnostic[];
  /** What was not known before. */
  readonly fresh: KnownProofs;
}

/** Proves contracts, whose models are in the same order. Rejects when what tries values cannot be loaded. */
export const proveContracts = async (
  contracts: readonly Contract[],
  models: readonly ServiceModel[],
  settings: ProofSettings,
): Promise<ContractProof> => {
  const diagnostics: Diagnostic[] = [];
  const fresh = new Map<string, readonly ProofFinding[]>();
  const seen = new Set<LoweredSchema>();
  const sources = once(settings.sources);
  const subjects = contracts.flatMap((contract, index) => schemasIn(contract, models[index]));
  for (const { place, ...subject } of subjects) {
    // What two procedures share needs one proof.
    if (seen.has(subject.lowered)) continue;
    seen.add(subject.lowered);
    const key = contentKey(subject, { values: settings.values, sources });
    const before = settings.known.get(key) ?? fresh.get(key);
    const found = before ?? (await proveNow(subject, settings.values));
    if (before === undefined) fresh.set(key, found);
    diagnostics.push(...found.map((finding) => describeFinding(finding, place)));
  }
  return { diagnostics, fresh };
};

interface SchemaOfContract {
  readonly schema: Schema;
  readonly side: SchemaSide;
  readonly lowered: LoweredSchema;
}

type PlacedSchema = SchemaOfContract & { readonly place: DiagnosticPlace };

const schemasIn = (contract: Contract, model: ServiceModel | undefined): readonly PlacedSchema[] =>
  (model?.procedures ?? []).flatMap(({ name, fullName, input, output, errors, questions, renamedTo }) => {
    const procedure = contract.procedures[name];
    if (procedure === undefined || model === undefined || renamedTo !== undefined) return [];
    const at = (where: string): DiagnosticPlace => ({ source: model.source, where: `${fullName} ${where}` });
    return [
      { schema: procedure.input, side: "input" as const, lowered: input, place: at("input") },
      { schema: procedure.output, side: "output" as const, lowered: output, place: at("output") },
      ...errors.flatMap(({ reason, data }) => {
        const schema = procedure.errors?.[reason]?.data;
        if (schema === undefined || data === undefined) return [];
        return [{ schema, side: "output" as const, lowered: data, place: at(`error ${reason}`) }];
      }),
      ...questions.flatMap(({ name, answer }) => {
        const question = procedure.questions?.[name];
        if (question?.kind !== "form" || answer === undefined) return [];
        return [{ schema: question.answer, side: "input" as const, lowered: answer, place: at(`question ${name}`) }];
      }),
    ];
  });

const contentKey = (
  { schema, side, lowered }: SchemaOfContract,
  { values, sources }: Omit<ProofSettings, "known">,
): string => {
  const { text, hasCode } = schemaText(schema);
  const versions = `${proofVersion()} ${zod.major}.${zod.minor}.${zod.patch} ${values} ${side}`;
  return hash("sha1", [versions, JSON.stringify(lowered.json), text, hasCode ? sources() : ""].join("\n"), "base64url");
};

const proveNow = async (
  { schema, side, lowered }: SchemaOfContract,
  values: number,
): Promise<readonly ProofFinding[]> => {
  const { prove } = await import("./prove.ts");
  // Of what is published alone: an edit elsewhere finds the same values.
  const seed = hash("sha1", JSON.stringify(lowered.json), "buffer").readInt32LE();
  return prove({ schema, side, json: lowered.json, templates: lowered.templates }, { values, seed });
};
