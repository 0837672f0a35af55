import { randomBytes } from 'node:crypto';
import {
  type Context,
  context,
  ROOT_CONTEXT,
  SamplingDecision,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { IdGenerator, ReadableSpan, Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import { currentTrace, type SpanRecorder, type Trace } from '#shared/platform/trace.ts';

/** A context whose spans are below a stored or received one, or the first ones of their trace. */
export function contextOf({ id, parent }: Trace): Context {
  if (parent === null) return ROOT_CONTEXT;
  const span = { traceId: id, spanId: parent, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, span);
}

/** The active span if it is recorded. */
function recordedSpan() {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span : undefined;
}

export const spanRecorder: SpanRecorder = {
  within(wanted, run) {
    const active = trace.getActiveSpan()?.spanContext().traceId;
    return active === wanted.id ? run() : context.with(contextOf(wanted), run);
  },
  activeSpan: () => recordedSpan()?.spanContext().spanId ?? null,
  annotate({ generation, seller, fence }) {
    recordedSpan()?.setAttributes({
      ...(generation !== undefined && { 'packshot.generation': generation }),
      ...(seller !== undefined && { 'packshot.seller': seller }),
      ...(fence !== undefined && { 'packshot.fence': fence }),
    });
  },
  call: (method, { host, hostname, port, protocol }, run) =>
    trace.getTracer('packshot').startActiveSpan(
      `${method} ${host}`,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'http.request.method': method,
          'server.address': hostname,
          'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
        },
      },
      async (span) => {
        try {
          return await run((status) => span.setAttribute('http.response.status_code', status));
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.setAttribute('error.type', error instanceof Error ? error.name : 'error');
          throw error;
        } finally {
          span.end();
        }
      },
    ),
};

/** Gives the first span of a trace the id that the log has. */
export const idGenerator: IdGenerator = {
  generateTraceId: () => currentTrace()?.id ?? randomBytes(16).toString('hex'),
  generateSpanId: () => randomBytes(8).toString('hex'),
};

/**
 * Records requests, jobs and all that is below them. Not what a worker does between jobs: asking for the next one alone
 * would be most of all spans. Recording only some of the traces is left to the collector.
 */
export const sampler: Sampler = {
  shouldSample(parentContext, _traceId, _name, kind) {
    const parent = trace.getSpanContext(parentContext);
    const begins = kind !== SpanKind.INTERNAL && kind !== SpanKind.CLIENT;
    const wanted = parent ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0 : begins;
    return { decision: wanted ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
  },
  toString: () => 'requests and jobs',
};

/** Attributes that are sent. All others may have addresses, paths with ids of customers, or words of a seller. */
const sent = new Set([
  'packshot.generation',
  'packshot.seller',
  'packshot.fence',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'server.address',
  'server.port',
  'error.type',
  'exception.type',
  'bullmq.queue.name',
  'bullmq.queue.operation',
  'bullmq.job.id',
  'bullmq.worker.id',
]);

/** An exporter that sends only known attributes, and of errors only their type, not what they say. */
export function withoutContents(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(known), done),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

function known(span: ReadableSpan): ReadableSpan {
  const { attributes, events, status } = span;
  return Object.create(span, {
    attributes: { value: pick(attributes) },
    events: { value: events.map((event) => ({ ...event, attributes: pick(event.attributes ?? {}) })) },
    status: { value: { code: status.code } },
  });
}

function pick<Value>(attributes: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => sent.has(name)));
}
