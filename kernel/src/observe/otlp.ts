/**
 * Sends spans to an OTLP/HTTP collector with Effect's own exporter. Loaded only when the configuration names a collector.
 */
import * as Context from "effect/Context";
import * as Exit from "effect/Exit";
import { FetchHttpClient } from "effect/http";
import * as Layer from "effect/Layer";
import * as ManagedRuntime from "effect/ManagedRuntime";
import * as Option from "effect/Option";
import { OtlpSerialization, OtlpTracer } from "effect/observability";
import * as EffectTracer from "effect/Tracer";
import { type Tracer, traceParts } from "./trace.ts";

export interface OtlpOptions {
  /** Base address of the collector; spans go to `/v1/traces` below it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: { readonly name: string; readonly version: string };
}

/** Connects to a collector. A collector that is down costs spans, never calls. */
export const openTracer = async ({ url, headers, service }: OtlpOptions): Promise<Tracer> => {
  const layer = OtlpTracer.layer({
    url: `${url.replace(/\/$/, "")}/v1/traces`,
    headers,
    resource: { serviceName: service.name, serviceVersion: service.version },
    shutdownTimeout: "1 second",
  }).pipe(Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer]));
  const runtime = ManagedRuntime.make(layer);
  const tracer = await runtime.runPromise(EffectTracer.Tracer);
  return {
    start: (name, parent) => {
      const caller = traceParts(parent);
      const span = tracer.span({
        name,
        parent: Option.map(Option.fromNullishOr(caller), ({ traceId, spanId, flags }) =>
          EffectTracer.externalSpan({ traceId, spanId, sampled: isSampled(flags) }),
        ),
        annotations: Context.empty(),
        links: [],
        startTime: now(),
        kind: "server",
        root: caller === undefined,
        sampled: caller === undefined || isSampled(caller.flags),
      });
      return {
        traceparent: `00-${span.traceId}-${span.spanId}-${span.sampled ? "01" : "00"}`,
        end: (attributes, error) => {
          for (const [key, value] of Object.entries(attributes)) span.attribute(key, value);
          if (error !== undefined) span.attribute("error.type", error);
          span.end(now(), error === undefined ? Exit.void : Exit.fail(error));
        },
      };
    },
    close: () => runtime.dispose(),
  };
};

/** The lowest bit of the flags; the others are none of our business. */
const isSampled = (flags: string): boolean => (Number.parseInt(flags, 16) & 1) === 1;

/** Nanoseconds since the epoch. */
const now = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n;
