/** A server that is killed repeatedly during a year: no renewal is lost or made twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import Stripe from 'stripe';
import { expect } from 'vitest';
import { createStripeControl } from '../../stripe/control-client.ts';
import { makePlans, subscribe, testWithDataFolder as test } from './harness.ts';

/** Starts the server as a separate process, as `npm run local -- stripe` does. */
async function startProcess(dataFolder: string) {
  const program = new URL('../../main.ts', import.meta.url).pathname;
  const child: ChildProcess = spawn(
    process.execPath,
    [program, 'stripe', '--data', dataFolder, '--control'],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const { hostname, port } = new URL(url);
  return {
    child,
    stripe: new Stripe('sk_test_crash', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 }),
    control: createStripeControl(`${url}/control`),
  };
}

test('bills each month of a year once although it is killed repeatedly', async ({ dataFolder }) => {
  const first = await startProcess(dataFolder);
  const { basic } = await makePlans(first.stripe);
  const subscriptions: string[] = [];
  for (let count = 0; count < 10; count += 1) {
    subscriptions.push((await subscribe(first.stripe, basic)).id);
  }
  const { now } = await first.control.state();
  const target = now + 366 * 86_400;
  let running = first;
  let onTheWay = 0;
  // Each attempt runs a little longer, until a whole advance completes before the kill.
  for (let waitMs = 30, arrived = false; !arrived; waitMs *= 1.4) {
    const advance = running.control.advance({ to: target }).then(
      () => true,
      () => false,
    );
    await Promise.race([advance, new Promise((resolve) => setTimeout(resolve, waitMs))]);
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    arrived = await advance;
    running = await startProcess(dataFolder);
    const { now: reached } = await running.control.state();
    if (reached > now + 86_400 && reached < target) onTheWay += 1;
  }
  expect(onTheWay).toBeGreaterThan(0);
  for (const subscription of subscriptions) {
    const { data } = await running.stripe.invoices.list({ subscription, limit: 100 });
    expect(data.map(({ status }) => status)).toEqual(Array(13).fill('paid'));
    const starts = data.map((invoice) => invoice.lines.data[0]?.period.start);
    const ends = data.map((invoice) => invoice.lines.data[0]?.period.end);
    expect(starts.slice(0, -1)).toEqual(ends.slice(1));
    const events = await running.stripe.events
      .list({ type: 'invoice.paid' })
      .autoPagingToArray({ limit: 1000 });
    const paid = events.map((event) => event.data.object as Stripe.Invoice).map(({ id }) => id);
    for (const { id } of data) expect(paid.filter((each) => each === id)).toHaveLength(1);
  }
  running.child.kill('SIGTERM');
  const [code] = await once(running.child, 'exit');
  expect(code).toBe(0);
});
