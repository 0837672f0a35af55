import { expect } from 'vitest';
import { type ErrorReply, type GenerationView, paths } from '#contract';
import { eventually } from '#tests/support/harness.ts';
import { collectLog, startProgram } from '#tests/support/program.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 });
const given = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${given}-b7ad6b7169203331-01`;

test('server, worker, row and the failed image have the trace id of the request', async ({
  stack,
  onTestFinished,
}) => {
  const [server, worker] = [collectLog(), collectLog()];
  const settings = { ...stack.settings, LOG_LEVEL: 'info', TRUSTED_PROXIES: '1' } as const;
  const programs = await Promise.all([
    startProgram('server', { ...settings, PORT: '0' }, server.add),
    startProgram('worker', settings, worker.add),
  ]);
  onTestFinished(async () => void (await Promise.all(programs.map((program) => program.kill()))));
  await stack.images.set({ behaviours: [contentRefused] });
  const seller = await stack.seller({ url: programs[0].url! });
  const window = await seller.openWindow();
  onTestFinished(() => window.close());

  const form = new FormData();
  const refused = await seller.request<ErrorReply>(paths.generations, {
    method: 'POST',
    headers: { traceparent },
    body: form,
  });
  expect(refused.body.error.requestId).toBe(given);

  const accepted = await seller.send<{ generations: GenerationView[] }>();
  const traceId = accepted.headers.get('x-request-id');
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  const [{ id }] = accepted.body.generations as [GenerationView];
  const view = await window.untilEnded(id);
  expect(view.failure).toMatchObject({ code: 'CONTENT_REFUSED', requestId: traceId });
  const row = await stack.models.generations.findById(id).lean();
  expect(row?.trace).toEqual({ id: traceId, parent: null });

  const of = (log: typeof server) =>
    log.lines.filter((line) => line.traceId === traceId).map(({ msg }) => msg);
  await expect.poll(() => of(server), eventually).toEqual(['request']);
  await expect.poll(() => of(worker), eventually).toContain('provider call failed');
  const aboutOthers = [...server.lines, ...worker.lines].filter(
    (line) => line.generation === id && line.traceId !== traceId,
  );
  expect(aboutOthers).toEqual([]);
});

test('a client cannot choose the trace of its requests', async ({ stack, seller }) => {
  const { headers } = await seller.request(paths.me, { headers: { traceparent } });
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(headers.get('x-request-id')).not.toBe(given);
  const raw = await fetch(`${stack.url}/api/%`);
  const { error } = (await raw.json()) as ErrorReply;
  expect(raw.headers.get('x-request-id')).toBe(error.requestId);
});
