/** Gives diagnostics about contracts the line of the author's file that they are about. Not here: finding a line (`source-line`). */
import { readFileSync } from "node:fs";
import type { Diagnostic } from "../model/diagnostics.ts";
import type { ContractFile } from "./find.ts";
import { findLine, readTokens, type SourceToken } from "./source-line.ts";

export const addLines = (diagnostics: readonly Diagnostic[], files: readonly ContractFile[]): readonly Diagnostic[] => {
  const known = new Map<string, readonly SourceToken[]>();
  const tokensIn = (source: string): readonly SourceToken[] => {
    const before = known.get(source);
    if (before !== undefined) return before;
    const file = files.find((each) => each.source === source)?.file;
    const tokens = file === undefined ? [] : readTokens(readText(file));
    known.set(source, tokens);
    return tokens;
  };
  return diagnostics.map((each) => {
    if (each.line !== undefined || each.where === "") return each;
    const [id, ...path] = contractPath(each.where);
    const line = id === undefined ? undefined : findLine(tokensIn(each.source), id, path);
    return line === undefined ? each : { ...each, line };
  });
};

/** A file may be gone by now; then there is no line. */
const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

/** `rules.replay error gone at.x` is `rules`, `procedures`, `replay`, `errors`, `gone`, `at`, `x`. */
const contractPath = (where: string): readonly string[] => {
  const [, head = "", part = "", rest = ""] = /^(\S+)(?: (\S+))?(?: (.*))?$/.exec(where) ?? [];
  const [id = "", procedure] = head.split(".");
  if (part === "verb") return [id, "verbs", rest.replaceAll('"', "")];
  if (part === "resource") return [id, "resources", rest.replaceAll('"', "")];
  if (part === "prompt") return [id, "prompts", rest.replaceAll('"', "")];
  if (procedure === undefined) return [id];
  const fields = rest.split(/[^\w$-]+/).filter((each) => each !== "");
  const parts = { error: "errors", example: "examples", question: "questions" }[part] ?? part;
  return [id, "procedures", procedure, ...(parts === "" ? [] : [parts, ...fields])];
};
