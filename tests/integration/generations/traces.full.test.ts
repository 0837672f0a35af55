/** Traces with OpenTelemetry, of processes that send them to a collector. */
import { expect } from 'vitest';
import type { GenerationView } from '#contract';
import { collectLog, startProgram } from '#tests/support/program.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { type ReceivedSpan, startTraceCollector } from '#tests/support/trace-collector.ts';

const test = testWithSeller({ workers: 0 });

test('one trace goes from the request over the queue and the worker to the call of the provider', async ({
  stack,
  onTestFinished,
}) => {
  const collector = await startTraceCollector();
  onTestFinished(() => collector.close());
  const settings = { ...stack.settings, OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'info' } as const;
  const log = collectLog();
  const programs = await Promise.all([
    startProgram('server', { ...settings, PORT: '0' }, log.add),
    startProgram('worker', settings, log.add),
  ]);
  onTestFinished(async () => void (await Promise.all(programs.map((program) => program.kill()))));
  // The second call succeeds, in the same trace.
  await stack.images.set({
    behaviours: [{ kind: 'error', status: 500, code: 'server_error', type: 'server_error' }, { kind: 'ok' }],
  });
  const seller = await stack.seller({ url: programs[0].url! });
  const window = await seller.openWindow();
  const accepted = await seller.send<{ generations: GenerationView[] }>({ prompt: 'On secret marble' });
  const [{ id }] = accepted.body.generations as [GenerationView];
  await window.untilEnded(id);
  window.close();
  // Both send the spans that are left when they end.
  expect(await Promise.all(programs.map((program) => program.terminate()))).toEqual([0, 0]);

  const traceId = accepted.headers.get('x-request-id');
  const spans = collector.spans.filter((span) => span.traceId === traceId);
  const named = (name: RegExp) => spans.filter((span) => name.test(span.name));
  const parentOf = ({ parentSpanId }: ReceivedSpan) => spans.find(({ spanId }) => spanId === parentSpanId);
  const [request] = named(/^POST \/api\/generations$/);
  expect(request).toMatchObject({ service: 'packshot-server', parentSpanId: '' });
  expect(request!.attributes).toMatchObject({
    'http.response.status_code': 202,
    'packshot.generation': id,
    'packshot.seller': seller.id,
  });
  const [added] = named(/^add /);
  expect(parentOf(added!)).toBe(request);
  const attempts = named(/^process /);
  expect(attempts.map(({ attributes }) => attributes['packshot.fence'])).toHaveLength(2);
  expect(parentOf(attempts[0]!)).toBe(added);
  const calls = named(/^POST 127\.0\.0\.1/);
  expect(calls.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([500, 200]);
  expect(calls.map(parentOf)).toEqual(attempts);
  for (const { service } of [...attempts, ...calls]) expect(service).toBe('packshot-worker');
  const row = await stack.models.generations.findById(id).lean();
  expect(row?.trace).toEqual({ id: traceId, parent: request!.spanId });
  expect(log.lines.filter((line) => line.generation === id && line.traceId !== traceId)).toEqual([]);

  // Only ids and figures, and nothing that was going on between jobs.
  expect(collector.received()).not.toMatch(/secret marble|shop\.example|photo|remoteAddress/);
  expect(collector.spans.filter(({ name }) => /getNextJob|extendLocks|moveStalled/.test(name))).toEqual([]);
});
