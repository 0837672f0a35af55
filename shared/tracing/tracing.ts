import type { Telemetry } from 'bullmq';
import type { FastifyPluginCallback } from 'fastify';
import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';

/** The recording of traces in this process. */
export interface Tracing {
  /** Makes a span of each request to the API. */
  fastify: FastifyPluginCallback;
  /** Makes spans of what happens to jobs. */
  queue: Telemetry;
  /** Sends the spans that are left, for a few seconds at most, and stops recording. */
  close(): Promise<void>;
}

/**
 * Begins to record the traces of this process, if an endpoint for them is set. OpenTelemetry is loaded only then.
 * @param program `server` or `worker`
 * @returns null when there is no endpoint
 */
export async function startTracing(
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
  program: string,
  log: Log,
): Promise<Tracing | null> {
  if (otlpEndpoint === undefined) return null;
  const { recordTraces } = await import('./record-traces.ts');
  return recordTraces(otlpEndpoint, program, log);
}
