/** Checked expressions as they run in another process: generated source over a copy of our declarations, nothing of it shared with us. */

import { fileURLToPath } from "node:url";
import {
  type BoundNode,
  type Clock,
  type Code,
  type Frame,
  type HostAccess,
  LinqError,
  runToEnd,
  type Type,
} from "@fairlead/linq";
import { defaultLimits } from "@fairlead/linq/limits";
import { codeSource, RecipeLinkage } from "@fairlead/linq/source";
import { bundle } from "../../bundle/bundle.ts";
import { Encoder, type Json } from "../encode/encode.ts";
import type copied from "./copied.ts";
import { fixture } from "./fixture.ts";

/** What a test takes from the copy. */
type Copy = typeof copied & Readonly<Record<string, unknown>>;

const script = await bundle(fileURLToPath(new URL("./copied.ts", import.meta.url)));
/** The named boundary: the script's library is what `copied.ts` exports, once more. */
const copy = new Function(`${script}\nreturn library;`)() as Copy;
const names = Object.keys(copy);

export const there = (): Copy => copy;

/** The function of a frame that the tree becomes there, where `other` is the host. Its errors are errors of ours again. */
export const sentAway = (bound: BoundNode, host: HostAccess, other: HostAccess): ((frame: Frame) => unknown) => {
  const linkage = new RecipeLinkage(host, defaultLimits);
  const code = codeSource(bound, host, linkage);
  const body = `"use strict";\n${linkage.statements}\nreturn ${code};`;
  const make = new Function(...names, "host", "limits", body);
  const made: Code = make(...names.map((name) => copy[name]), other, defaultLimits);
  return (frame) => {
    try {
      return made.isLong ? runToEnd(made.run(frame)) : made.run(frame);
    } catch (error) {
      if (!(error instanceof copy.LinqError)) throw error;
      throw new LinqError(error.code, error.message, { position: error.position, hint: error.hint });
    }
  };
};

const clock: Clock = { elapsed: () => performance.now() };
const options = { items: 50, bytes: defaultLimits.resultBytes };
const shown = { depth: 3, path: "" };

/** The value of an expression over the fixture there, as JSON. */
export const valueThere = (bound: BoundNode, type: Type): Json => {
  const { Encoder: Theirs, Frame: Stage, fixture: host } = copy;
  const value = sentAway(bound, fixture, host)(new Stage(defaultLimits, clock));
  return new Theirs({ host, ...options }).encode(value, type, shown);
};

/** The same of a value here. */
export const valueHere = (value: unknown, type: Type): Json =>
  new Encoder({ host: fixture, ...options }).encode(value, type, shown);
