import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { paths } from '#contract';
import { answerOf, expectError } from '#tests/support/errors.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

/** Posts a body with a correct signature for the time in the header, even if that is not a time. */
async function post(
  stack: TestStack,
  payload: string,
  time: string | number = Math.floor(Date.now() / 1_000),
) {
  // The SDK checks the signature of the time as it parsed it, for example of `NaN.<payload>`.
  const signed = `${Number.parseInt(String(time), 10)}.${payload}`;
  const digest = createHmac('sha256', stack.config.billing.webhookSecret).update(signed).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${digest}` };
  return answerOf(fetch(stack.url + paths.stripeWebhook, { method: 'POST', headers, body: payload }));
}

const validEvent = {
  id: 'evt_valid',
  object: 'event',
  type: 'invoice.paid',
  data: { object: { object: 'invoice' } },
};

type Invalid = [what: string, field: string | undefined, event: unknown];
test.for<Invalid>([
  ['null', undefined, null],
  ['a number', undefined, 7],
  ['a list', undefined, []],
  ['an empty object', 'id', {}],
  ['an event without data', 'data', { ...validEvent, data: undefined }],
  ['an event without an object', 'data.object', { ...validEvent, data: {} }],
  ['an event whose object is null', 'data.object', { ...validEvent, data: { object: null } }],
  ['an event whose id is an object', 'id', { ...validEvent, id: { $gt: '' } }],
  ['an event with an empty id', 'id', { ...validEvent, id: '' }],
  ['an event with an id of 10 kB', 'id', { ...validEvent, id: 'e'.repeat(10_000) }],
  ['an event whose type is a list', 'type', { ...validEvent, type: ['invoice.paid'] }],
  ...[5, {}].map(
    (customer): Invalid => [
      `an event whose customer is ${JSON.stringify(customer)}`,
      'data.object.customer',
      { ...validEvent, data: { object: { object: 'invoice', customer } } },
    ],
  ),
  ['a thin event', 'data', { id: 'evt_thin', object: 'v2.core.event', type: 'v1.billing.meter.error' }],
])('signed, but %s: refused as invalid and not stored', async ([, field, event], { stack }) => {
  expectError(await post(stack, JSON.stringify(event)), 'VALIDATION', field === undefined ? {} : { field });
  expect(await stack.models.stripeEvents.countDocuments()).toBe(0);
});

test.for(['not JSON', '', '{"id":'])(
  'a signed body that is %j is refused and not stored',
  async (payload, { stack }) => {
    expectError(await post(stack, payload), 'BAD_JSON');
    expect(await stack.models.stripeEvents.countDocuments()).toBe(0);
  },
);

test('a signature with a future time, no time or two times is refused; clocks may differ by a minute', async ({
  stack,
}) => {
  const now = Math.floor(Date.now() / 1_000);
  const payload = JSON.stringify(validEvent);
  const noTimes = ['NaN', '', 'soon', `${now}x`, '1e99', `${now},t=${now}`];
  for (const time of [...noTimes, -1, now - 301, now + 90, now + 86_400]) {
    expectError(await post(stack, payload, time), 'BAD_SIGNATURE');
  }
  expect(await stack.models.stripeEvents.countDocuments()).toBe(0);
  expect((await post(stack, payload, now + 30)).status).toBe(200);
  expect(await stack.models.stripeEvents.countDocuments()).toBe(1);
});
