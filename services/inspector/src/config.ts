/** The service's section of the configuration. Every limit of the language can be set here. */

import { defaultLimits } from "@fairlead/linq/limits";
import * as z from "zod";

const limit = (value: number, most: number) => z.int().min(1).max(most).default(value);

/** What is kept from every question about the objects of another process. */
const redaction = z
  .strictObject({
    /** False for none of the names that are redacted by default: passwords, tokens, secrets and their like, and the environment. */
    defaults: z.boolean().default(true),
    /** More names by their words: `salary` is also `baseSalary`. */
    names: z.array(z.string().min(1)).default([]),
    /** More whole names, with `*` and `?`. */
    patterns: z.array(z.string().min(1)).default([]),
    /** Whole names that are shown all the same, with `*` and `?`. */
    pass: z.array(z.string().min(1)).default([]),
  })
  .prefault({});

/** Getters and methods that are not declared: refused, or `checked`: V8 runs them as long as they change nothing. */
const callRule = z.enum(["refused", "checked"]).default("refused");

const timeoutMs = z.int().min(10).max(600_000).default(10_000);

export const inspectorConfig = z.strictObject({
  /** Whose objects are looked at. */
  source: z
    .discriminatedUnion("kind", [
      /** The game world that ships with the service. */
      z.strictObject({ kind: z.literal("simulated") }),
      /**
       * This process: what a program in it named with `inspect`. Nothing else runs here for about `sliceMs` at a time, and for
       * `holdMs` at most in the program's own getters.
       */
      z.strictObject({
        kind: z.literal("registered"),
        wallMs: limit(5_000, 600_000),
        sliceMs: limit(2, 5_000),
        holdMs: limit(3_000, 600_000),
      }),
      /** Another Node process, started with `--inspect`. `roots` are JavaScript expressions there, for programs that do not call `inspect` and need not have this package. */
      z.strictObject({
        kind: z.literal("process"),
        address: z.string().min(1),
        timeoutMs,
        roots: z
          .record(
            z.string().regex(/^[A-Za-z_]\w*$/, "a name of letters, digits and `_`, no digit first"),
            z.string().min(1),
          )
          .optional(),
        /** What is kept from every question about these roots. */
        redact: redaction,
        calls: callRule,
      }),
    ])
    .default({ kind: "simulated" }),
  /** Programs that `fairlead attach` looks at. */
  attach: z
    .strictObject({
      /** Milliseconds for one slice of a question. */
      timeoutMs,
      redact: redaction,
      /** Megabytes of a heap that `fairlead heap` may look at, which stops the program for some seconds; 0 for none. */
      heapMb: z.int().min(0).max(500).default(0),
    })
    .prefault({}),
  /** Tokens of one answer, about; more is cut after whole rows and members. A caller's own `maxTokens` counts where it is lower. */
  maxTokens: z.int().min(100).max(1_000_000).optional(),
  /** The simulated world. */
  world: z
    .strictObject({
      seed: z.int().default(20_260_122),
      entities: z.int().min(1).max(100_000).default(1_522),
      /** Milliseconds between two ticks; 0 stops the world. */
      tickMs: z.int().min(0).max(60_000).default(250),
    })
    .prefault({}),
  limits: z
    .strictObject({
      textBytes: limit(defaultLimits.textBytes, 4_096),
      depth: limit(defaultLimits.depth, 200),
      fuelPerRow: limit(defaultLimits.fuelPerRow, 1_000_000_000),
      fuelPerQuery: limit(defaultLimits.fuelPerQuery, 10_000_000_000),
      stringLength: limit(defaultLimits.stringLength, 10_000_000),
      items: limit(defaultLimits.items, 50_000_000),
      resultRows: limit(defaultLimits.resultRows, 1_000_000),
      resultBytes: limit(defaultLimits.resultBytes, 100_000_000),
      wallMs: limit(defaultLimits.wallMs, 600_000),
    })
    .prefault({}),
});

export type InspectorConfig = z.output<typeof inspectorConfig>;
