import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

/** Posts a body under a correct signature for whatever the header calls its time. */
async function post(
  stack: TestStack,
  payload: string,
  time: string | number = Math.floor(Date.now() / 1_000),
) {
  // The library signs what it made of the header's time, as in `NaN.<payload>`.
  const signed = `${Number.parseInt(String(time), 10)}.${payload}`;
  const digest = createHmac('sha256', stack.config.billing.webhookSecret).update(signed).digest('hex');
  const reply = await fetch(stack.url + paths.stripeWebhook, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${digest}` },
    body: payload,
  });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

const sound = {
  id: 'evt_sound',
  object: 'event',
  type: 'invoice.paid',
  data: { object: { object: 'invoice' } },
};

test.for<[what: string, field: string | undefined, event: unknown]>([
  ['null', undefined, null],
  ['a number', undefined, 7],
  ['a list', undefined, []],
  ['an empty object', 'id', {}],
  ['an event without data', 'data', { ...sound, data: undefined }],
  ['an event about nothing', 'data.object', { ...sound, data: {} }],
  ['an event about null', 'data.object', { ...sound, data: { object: null } }],
  ['an event whose id is an object', 'id', { ...sound, id: { $gt: '' } }],
  ['an event with an empty id', 'id', { ...sound, id: '' }],
  ['an event with an id of 10 kB', 'id', { ...sound, id: 'e'.repeat(10_000) }],
  ['an event whose type is a list', 'type', { ...sound, type: ['invoice.paid'] }],
  [
    'an event whose customer is a number',
    'data.object.customer',
    { ...sound, data: { object: { object: 'invoice', customer: 5 } } },
  ],
  [
    'an event whose customer has no id',
    'data.object.customer',
    { ...sound, data: { object: { object: 'invoice', customer: {} } } },
  ],
  ['a thin event', 'data', { id: 'evt_thin', object: 'v2.core.event', type: 'v1.billing.meter.error' }],
])('signed, but %s: refused as not valid and not kept', async ([, field, event], { stack }) => {
  expectError(await post(stack, JSON.stringify(event)), 'VALIDATION', field === undefined ? {} : { field });
  expect(await stack.models.stripeEvents.countDocuments()).toBe(0);
});

test.for(['not JSON', '', '{"id":'])(
  'a signed body that is %j is refused and not kept',
  async (payload, { stack }) => {
    expectError(await post(stack, payload), 'BAD_JSON');
    expect(await stack.models.stripeEvents.countDocuments()).toBe(0);
  },
);

test('a signature from the future, of no time, or of two times is refused; clocks may differ by a minute', async ({
  stack,
}) => {
  const now = Math.floor(Date.now() / 1_000);
  const payload = JSON.stringify(sound);
  for (const time of [
    'NaN',
    '',
    'soon',
    now + 90,
    now + 86_400,
    now - 301,
    `${now}x`,
    '1e99',
    -1,
    `${now},t=${now}`,
  ]) {
    expectError(await post(stack, payload, time), 'BAD_SIGNATURE');
  }
  expect(await stack.models.stripeEvents.countDocuments()).toBe(0);
  expect((await post(stack, payload, now + 30)).status).toBe(200);
  expect(await stack.models.stripeEvents.countDocuments()).toBe(1);
});
