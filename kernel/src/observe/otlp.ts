/**
 * Sends spans to an OTLP/HTTP collector with Effect's own exporter. Loaded only when the configuration names a collector.
 */
import type { Redactor } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { FetchHttpClient } from "effect/http";
import * as Layer from "effect/Layer";
import * as ManagedRuntime from "effect/ManagedRuntime";
import * as Option from "effect/Option";
import { OtlpSerialization, OtlpTracer } from "effect/observability";
import * as EffectTracer from "effect/Tracer";
import type { OpenSpan, SpanAttributes, SpanKind } from "../call/span.ts";
import { type Tracer, traceParts } from "./trace.ts";

interface OtlpOptions {
  /** Base address of the collector; spans go to `/v1/traces` below it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Takes secrets out of attributes and errors. */
  readonly redactor: Redactor;
  readonly service: { readonly name: string; readonly version: string };
}

/** Connects to a collector. A collector that is down costs spans, never calls. */
export const openTracer = Effect.fnUntraced(function* ({ url, headers, service, redactor }: OtlpOptions) {
  const layer = OtlpTracer.layer({
    url: `${url.replace(/\/$/, "")}/v1/traces`,
    headers,
    resource: { serviceName: service.name, serviceVersion: service.version },
    shutdownTimeout: "1 second",
  }).pipe(Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer]));
  const runtime = ManagedRuntime.make(layer);
  const tracer = Context.get(yield* runtime.contextEffect, EffectTracer.Tracer);
  const begin = (name: string, { kind, parent, attributes = {} }: SpanStart): OpenSpan => {
    const span = tracer.span({
      name,
      parent: Option.fromNullishOr(parent),
      annotations: Context.empty(),
      links: [],
      startTime: now(),
      kind,
      root: parent === undefined,
      sampled: parent === undefined || parent.sampled,
    });
    const describe = (all: SpanAttributes): void => {
      for (const [key, value] of Object.entries(redactor.json(all))) span.attribute(key, value);
    };
    describe(attributes);
    return {
      traceparent: `00-${span.traceId}-${span.spanId}-${span.sampled ? "01" : "00"}`,
      child: (below, childKind, more) =>
        begin(below, { kind: childKind, parent: span, ...(more !== undefined && { attributes: more }) }),
      event: (event, more) => span.event(event, now(), { ...redactor.json(more) }),
      end: (more, failure) => {
        describe(more);
        if (failure !== undefined) span.attribute("rpc.response.status_code", failure.code);
        if (failure?.fault === undefined) {
          span.end(now(), Exit.void);
          return;
        }
        span.attribute("error.type", failure.code);
        span.end(now(), Exit.fail(withoutSecrets(failure.fault, redactor)));
      },
    };
  };
  return {
    start: (name, parent, kind = "server") => {
      const caller = traceParts(parent);
      if (caller === undefined) return begin(name, { kind });
      const { traceId, spanId, flags } = caller;
      return begin(name, {
        kind,
        parent: EffectTracer.externalSpan({ traceId, spanId, sampled: isSampled(flags) }),
      });
    },
    close: () => runtime.dispose(),
  } satisfies Tracer;
});

/** What an exporter reads of an error: its name, its message and its stack. */
const withoutSecrets = (fault: unknown, redactor: Redactor): unknown => {
  if (!(fault instanceof Error)) return redactor.json(fault);
  const { name, message, stack = "" } = fault;
  return Object.assign(new Error(redactor.text(message)), { name, stack: redactor.text(stack) });
};

interface SpanStart {
  readonly kind: SpanKind;
  readonly parent?: EffectTracer.AnySpan;
  readonly attributes?: SpanAttributes;
}

/** The lowest bit of the flags; the others are none of our business. */
const isSampled = (flags: string): boolean => (Number.parseInt(flags, 16) & 1) === 1;

/** Nanoseconds since the epoch. */
const now = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n;
