import { type Context, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';
import { parseTraceparent } from '#shared/platform/trace.ts';
import { contextOf } from './spans.ts';

/**
 * BullMQ's spans. The trace goes with the job as W3C's `traceparent`. It is written and read here instead of by
 * OpenTelemetry's propagation, which would put the header into every call to OpenAI and Stripe as well.
 */
export function queueTelemetry(): Telemetry<Context> {
  const telemetry = new BullMQOtel();
  const { contextManager } = telemetry;
  return Object.assign(telemetry, {
    contextManager: Object.assign(contextManager, {
      // For loops that never end, such as BullMQ's check for stalled jobs.
      root: () => ROOT_CONTEXT,
      getMetadata(of: Context): string {
        const span = trace.getSpanContext(of);
        // Empty for a span that is not recorded: what follows would be below one that nobody has.
        return span && (span.traceFlags & TraceFlags.SAMPLED) !== 0
          ? `00-${span.traceId}-${span.spanId}-01`
          : '';
      },
      fromMetadata(active: Context, metadata: string): Context {
        const given = parseTraceparent(metadata);
        return given ? contextOf(given) : active;
      },
    }),
  });
}
