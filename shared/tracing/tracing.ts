import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import type { Tracing } from './record-traces.ts';

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
