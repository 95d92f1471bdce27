/** Checked expressions as they run in another process: generated source over a copy of our declarations, nothing of it shared with us. */
import { type Bound, type Clock, type Code, type Frame, type HostAccess, LinqError, type Type } from "@fairlead/linq";
import { defaultLimits } from "@fairlead/linq/limits";
import { ByRecipe, functionSource } from "@fairlead/linq/source";
import { Encoder, type Json } from "../encode/encode.ts";
import type { hostAccess } from "../host/access.ts";
import type { Registry } from "../host/registry.ts";
import { Library } from "../remote/bundle.ts";
import { fixture } from "./fixture.ts";

const library = new Library(
  [
    "../../linq/src/index.ts",
    "../../linq/src/source.ts",
    "../encode/encode.ts",
    "../host/registry.ts",
    "./fixture.ts",
  ].map((at) => new URL(at, import.meta.url)),
);

type Declarations = There & Readonly<Record<string, unknown>>;

const needed = ["definitionOf", "Sequence", "Decimal", "parseScalar"];
const offered = ["Encoder", "Frame", "LinqError", "Registry", "hostAccess", "fixture"];
const names = [...library.portables, ...needed, ...offered];

/** What a test takes from the copy. */
export interface There {
  readonly Encoder: typeof Encoder;
  readonly Frame: typeof Frame;
  readonly LinqError: typeof LinqError;
  readonly Registry: typeof Registry;
  readonly hostAccess: typeof hostAccess;
  readonly fixture: HostAccess;
}

const copy = (): Declarations => new Function(`${library.source(names)}\nreturn { ${names.join(", ")} };`)();

let known: Declarations | undefined;

export const there = (): There => declarations();

const declarations = (): Declarations => {
  known ??= copy();
  return known;
};

/** The function of a frame that the tree becomes there, where `other` is the host. Its errors are errors of ours again. */
export const sentAway = (bound: Bound, host: HostAccess, other: HostAccess): Code => {
  const linkage = new ByRecipe(host, defaultLimits);
  const code = functionSource(bound, host, linkage);
  const all = declarations();
  const body = `"use strict";\n${linkage.statements}\nreturn ${code};`;
  const make = new Function(...names, "host", "limits", body);
  const made: Code = make(...names.map((name) => all[name]), other, defaultLimits);
  return (frame) => {
    try {
      return made(frame);
    } catch (error) {
      if (!(error instanceof all.LinqError)) throw error;
      throw new LinqError(error.code, error.message, { position: error.position, hint: error.hint });
    }
  };
};

const clock: Clock = { elapsed: () => performance.now() };
const options = { items: 50, bytes: defaultLimits.resultBytes };
const shown = { depth: 3, path: "" };

/** The value of an expression over the fixture there, as JSON. */
export const valueThere = (bound: Bound, type: Type): Json => {
  const { Encoder: Theirs, Frame: Stage, fixture: host } = there();
  const value = sentAway(bound, fixture, host)(new Stage(defaultLimits, clock));
  return new Theirs({ host, ...options }).encode(value, type, shown);
};

/** The same of a value here. */
export const valueHere = (value: unknown, type: Type): Json =>
  new Encoder({ host: fixture, ...options }).encode(value, type, shown);
