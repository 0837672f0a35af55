/** What a server says of itself: `/metrics` on its own port, and a log without usable links of mails. */
import { expect } from 'vitest';
import { findFreePort } from '#tests/support/free-port.ts';
import { eventually } from '#tests/support/harness.ts';
import { mailSamples } from '#tests/support/mail-samples.ts';
import { startProgram } from '#tests/support/program.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack()
  .extend('port', { scope: 'file' }, () => findFreePort())
  .extend('url', { scope: 'file' }, async ({ stack, port }) => {
    return (await stack.startServer({ METRICS_PORT: String(port) })).url;
  });

// `/metrics` of a server on its own port.

async function scrape(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  return answer.text();
}

test('requests, generations, queue and stores are measured, by route and never by path', async ({
  stack,
  url,
  port,
}) => {
  const seller = await stack.seller({ url });
  const window = await seller.openWindow();
  const { id } = await seller.submit();
  await window.untilEnded(id);
  await seller.request('/no/such/page');
  await expect
    .poll(() => scrape(port), eventually)
    .toMatch(/^packshot_generations_ended_total\{outcome="succeeded",code="none",kind="single"\} [1-9]/m);
  const text = await scrape(port);
  for (const sample of [
    /^packshot_http_request_duration_seconds_count\{method="POST",route="\/api\/generations",status="2xx"\} 1$/m,
    /^packshot_http_request_duration_seconds_count\{[^}]*status="4xx"\} 1$/m,
    /^packshot_sockets_open 1$/m,
    /^packshot_socket_connections_total\{outcome="admitted"\} [1-9]/m,
    /^packshot_queue_jobs\{state="prioritized"\} 0$/m,
    /^packshot_queue_paused 0$/m,
    /^packshot_generations_oldest_waiting_seconds\{kind="single"\} [\d.]+$/m,
    /^packshot_credits_held_images [01]$/m,
    /^packshot_credits_settled_images_total\{kind="settle"\} [1-9]/m,
    /^packshot_generation_duration_seconds_count\{kind="single"\} [1-9]/m,
    /^packshot_provider_call_duration_seconds_count\{outcome="succeeded",status="200"\} [1-9]/m,
    /^packshot_workers 1$/m,
    /^packshot_worker_slots 4$/m,
    /^packshot_mails_waiting \d+$/m,
    /^packshot_mails_failed\{state="given_up"\} 0$/m,
    /^packshot_provider_breaker\{state="closed"\} 1$/m,
    /^packshot_provider_paused\{kind="account"\} 0$/m,
    /^packshot_provider_limit\{limit="in_flight"\} \d+$/m,
    /^packshot_stripe_events_unhandled 0$/m,
    /^packshot_store_up\{store="storage"\} 1$/m,
    /^packshot_build_info\{program="server",version="\d+\.\d+\.\d+",node="v\d+/m,
    /^nodejs_eventloop_lag_p99_seconds /m,
    /^process_resident_memory_bytes \d+$/m,
  ]) {
    expect(text).toMatch(sample);
  }
  expect(text).not.toContain(id);
  expect(text).not.toContain('/no/such/page');
  window.close();
});

test('the public port has no metrics', async ({ url }) => {
  const answer = await fetch(`${url}/metrics`);
  expect(await answer.text()).not.toContain('packshot_');
});

// The log of a server has no usable link of a mail.

/** All links to Packshot in mails, without duplicates. */
function mailLinks(): URL[] {
  const texts = mailSamples.map(([, make]) => make('Ada').text);
  const links = texts.flatMap((text) => text.match(/https:\/\/packshot\.example\/\S+/g) ?? []);
  return [...new Set(links)].map((link) => new URL(link));
}

test('the log does not contain the token of any link in a mail', async ({ stack }) => {
  let log = '';
  const server = await startProgram('server', { ...stack.settings, PORT: '0', LOG_LEVEL: 'info' }, (text) => {
    log += text;
  });
  try {
    const links = mailLinks();
    const secrets = links.flatMap(({ searchParams }) => searchParams.getAll('token'));
    // Verification, password reset, change of address, unlocking.
    expect(secrets.length).toBeGreaterThanOrEqual(4);
    for (const { pathname, search } of links) {
      await fetch(`${server.url}${pathname}${search}`, { headers: { accept: 'text/html' } });
      await fetch(`${server.url}${pathname}${search.replace('?', '?from=mail&')}`, { method: 'POST' });
    }
    const paths = links.map(({ pathname }) => pathname);
    await expect.poll(() => paths.filter((path) => !log.includes(`"url":"${path}`))).toEqual([]);
    expect(log.match(/token=\[redacted\]/g)?.length).toBeGreaterThanOrEqual(secrets.length);
    for (const secret of secrets) expect(log).not.toContain(secret);
  } finally {
    await server.terminate();
  }
});
