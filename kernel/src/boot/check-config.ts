/**
 * Whether a kernel could be opened with another configuration than its own: what `openKernel` would refuse of it, found while this one runs on.
 *
 * Not here: taking it up, which is another kernel's business.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { readConfig, tokenFilePath } from "../config/config.ts";
import { readSections, refuseUnknownServices } from "../config/sections.ts";
import { readTokens } from "../config/tokens/token-file.ts";
import type { Manifest } from "../host/manifest.ts";
import { loadService } from "../host/registry.ts";
import { readSupervision } from "../supervision/settings.ts";
import { checkAddress } from "./address-check.ts";
import * as Parts from "./parts.ts";

export interface ConfigCheck {
  /** What the configuration file exports now, unchecked. */
  readonly file: unknown;
  /** Settings from the command line; they win. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Services whose code has changed since it was loaded: their settings are judged by that code. */
  readonly services: readonly string[];
  /** Larger than that of any reload before. */
  readonly generation: number;
}

/** Fails with a `FairleadError` (`invalid_argument` or `failed_precondition`) that names what is wrong. */
export const checkConfig = Effect.fnUntraced(function* (
  parts: Context.Context<Parts.KernelParts>,
  manifest: Manifest,
  { file, flags = {}, services: changed, generation }: ConfigCheck,
) {
  const { env } = Context.get(parts, Parts.KernelInputs);
  const { sources } = Context.get(parts, Parts.KernelSources);
  const own = Context.get(parts, Parts.KernelConfig);
  const config = yield* attempt(() => readConfig({ file, env, flags }));
  const tokens = [...config.tokens, ...readTokens(tokenFilePath({ stateDir: own.stateDir }, env))];
  const isOpen = env.FAIRLEAD_TOKEN === undefined || env.FAIRLEAD_TOKEN === "";
  // The port is this kernel's own.
  yield* checkAddress({ ...config, port: 0 }, isOpen ? tokens.length : tokens.length + 1);
  // Of another manifest nothing is loaded here.
  if (config.manifest !== own.manifest) return;
  const ids = manifest.services.map(({ id }) => id);
  yield* attempt(() => refuseUnknownServices(config, ids, env));
  const runs = manifest.services.filter(({ id }) => config.only === undefined || config.only.includes(id));
  const loaded = yield* Effect.forEach(runs, (entry) => {
    const source = changed.includes(entry.id) ? undefined : sources.get(entry.id);
    if (source !== undefined) return Effect.succeed([source.service]);
    // What cannot be loaded has no settings to judge.
    const fresh = Effect.result(loadService(entry, { from: manifest.url, generation }));
    return Effect.map(fresh, (result) => (Result.isSuccess(result) ? [result.success] : []));
  });
  yield* attempt(() => {
    readSections(config.services, loaded.flat());
    readSupervision(config.supervision, loaded.flat(), ids);
  });
});

const attempt = <A>(run: () => A) => Effect.try({ try: run, catch: (cause) => cause });
