import { describe, expect, test } from 'vitest';
import type { CreditEntryRow } from '#shared/data/billing/credit-entries.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { noDailyImages } from '#shared/platform/daily-images.ts';
import { presentGeneration } from '#shared/views/generation.ts';
import { presentSubscription } from '#shared/views/subscription.ts';
import { paidPlan, sampleDate, sampleProfile, sampleRow } from '#tests/support/sample-rows.ts';
import { type Rest, rules, type SellerAtRest, violationsOf } from './invariants.ts';

const row = sampleRow({
  idempotency_key: 'key',
  state: 'succeeded',
  image: {
    key: 'generations/0123456789abcdef01234567/image-1.png',
    width: 1,
    height: 1,
    bytes: 5,
    sha256: 'hash',
  },
  ended_at: sampleDate,
});
const { _id: id } = row;
const profile = sampleProfile({ ...paidPlan, generations_left: 99, granted: 101, settled: 2 });
const settle: CreditEntryRow = {
  _id: 'entry',
  profile: 'seller',
  kind: 'settle',
  key: id,
  count: 1,
  period: null,
  at: sampleDate,
};
const seller: SellerAtRest = {
  profile,
  rows: [row],
  entries: [settle],
  submissions: [{ key: 'key', images: 1, accepted: [[id], [id]], refused: undefined }],
  batches: [{ id: 'batch', state: 'ended' }],
  view: {
    generations: new Map([[id, presentGeneration(row, null)]]),
    subscription: presentSubscription(profile, noDailyImages),
  },
};
const image = row.image!.key;
const rest: Rest = {
  sellers: [seller],
  files: new Map([
    [image, 'hash'],
    ['photo-sets/set/photo-0.png', 'photo'],
  ]),
  jobs: [],
  unhandledEvents: 0,
  waitingMails: 0,
  audit: [],
};

const withSeller = (changed: Partial<SellerAtRest>): Rest => ({
  ...rest,
  sellers: [{ ...seller, ...changed }],
});
const withRow = (changed: Partial<GenerationRow>) => withSeller({ rows: [{ ...row, ...changed }] });
const withFile = (key: string, sha256 = 'hash'): Rest => ({
  ...rest,
  files: new Map([...rest.files, [key, sha256]]),
});
const withoutImage: Rest = { ...rest, files: new Map([...rest.files].filter(([key]) => key !== image)) };

test('nothing is violated where everything is in order', () => {
  expect(violationsOf(rest)).toEqual([]);
});

/** For each rule, states that break it. */
const broken: Record<string, [what: string, rest: Rest][]> = {
  balance: [['an image is missing', withSeller({ profile: { ...profile, generations_left: 98 } })]],
  ended: [
    ['a generation still runs', withRow({ state: 'running' })],
    ['a request is still under way', withRow({ state: 'receiving' })],
    ['a generation is not settled', withRow({ settlement_due: true })],
    ['an accepted generation is gone', withSeller({ rows: [] })],
    ['a batch still runs', withSeller({ batches: [{ id: 'batch', state: 'running' }] })],
  ],
  'once for each key': [
    [
      'one request made two sets',
      withSeller({ submissions: [{ ...seller.submissions[0]!, accepted: [[id], ['other']] }] }),
    ],
    ['a take is missing', withSeller({ submissions: [{ ...seller.submissions[0]!, images: 2 }] })],
    ['nothing came of an accepted request', withRow({ idempotency_key: 'another' })],
  ],
  'succeeded has its file': [
    ['the file is missing', withoutImage],
    ['the file is another one', withFile(image, 'another hash')],
    ['a failed one has an image', withRow({ state: 'failed', image: null })],
    ['there are images of two attempts', withFile(image.replace('image-1', 'image-2'))],
  ],
  'one settle for one success': [
    ['none', withSeller({ entries: [] })],
    ['two', withSeller({ entries: [settle, { ...settle, _id: 'again' }] })],
    ['one for a generation that failed', withRow({ state: 'failed' })],
    ['one for no generation', withSeller({ entries: [settle, { ...settle, key: 'gone' }] })],
  ],
  'nothing left behind': [
    ['a folder of no generation', withFile('generations/other/image-1.png')],
    ['a preview', withFile(`generations/${id}/preview-1-0.webp`)],
    ['photos of no request', withFile('photo-sets/other/photo-0.png')],
    ['an unfinished file', withFile('incoming/1.unfinished')],
    ['files of a deleted one', withRow({ deletion: { stage: 'purged', at: sampleDate } })],
    [
      'a hold',
      withSeller({
        profile: {
          ...profile,
          holds: [{ generation: id, count: 1, balance: 'metered', lapsed: false, at: sampleDate }],
        },
      }),
    ],
    ['a job', { ...rest, jobs: ['active generation-1'] }],
    ['an event of Stripe', { ...rest, unhandledEvents: 1 }],
    ['a mail', { ...rest, waitingMails: 1 }],
  ],
  'the view is the row': [
    ['it shows an older state', withRow({ product_name: 'Jug' })],
    ['it does not show a generation', withSeller({ view: { ...seller.view, generations: new Map() } })],
    ['it shows a deleted one', withRow({ deletion: { stage: 'trashed', at: sampleDate } })],
    ['it shows another balance', withSeller({ profile: { ...profile, generations_left: 98 } })],
    ['it shows no balance', withSeller({ view: { ...seller.view, subscription: undefined } })],
  ],
  audit: [['a finding', { ...rest, audit: [{ id, problem: 'of the audit' }] }]],
};

test('every rule is broken by something below', () => {
  expect(Object.keys(broken)).toEqual(Object.keys(rules));
});

describe.each(Object.entries(broken))('%s', (rule, cases) => {
  test.each(cases)('is violated: %s', (_what, state) => {
    expect(violationsOf(state).map((violation) => violation.rule)).toContain(rule);
  });
});
