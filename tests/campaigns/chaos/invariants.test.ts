import { describe, expect, test } from 'vitest';
import { defaultOptions } from '#contract';
import type { CreditEntryRow } from '#shared/data/billing/credit-entries.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { presentGeneration } from '#shared/views/generation.ts';
import { presentSubscription } from '#shared/views/subscription.ts';
import { type Rest, rules, type SellerAtRest, violationsOf } from './invariants.ts';

const id = '0123456789abcdef01234567';
const created = new Date('2026-11-21T23:59:00Z');
const renewal = new Date('2026-12-21T23:59:00Z');
const row: GenerationRow = {
  _id: id,
  profile: 'seller',
  idempotency_key: 'key',
  fingerprint: 'a fingerprint',
  prompt: 'On a table',
  product_name: 'Cup',
  count: 1,
  quality: 'high',
  photos_show: 'one-product',
  options: { ...defaultOptions, seed: 1 },
  trace: { id: 'trace', parent: 'span' },
  photos: [{ key: 'photo-sets/set/photo-0.png', width: 1, height: 1, bytes: 1, warnings: [] }],
  photo_set: 'set',
  state: 'succeeded',
  revision: 3,
  fence: 0,
  priority: 10_000,
  set: { id, index: 0, size: 1 },
  queued_at: created,
  lease_until: null,
  progress: null,
  preview_key: null,
  image: {
    key: 'generations/0123456789abcdef01234567/image-1.png',
    width: 1,
    height: 1,
    bytes: 5,
    sha256: 'hash',
  },
  failure: null,
  calls: { started: 0, under_way: false, lost: 0, server_errors: 0 },
  provider: null,
  created_at: created,
  started_at: null,
  ended_at: created,
};
const profile: ProfileRow = {
  _id: 'seller',
  email: 'ann@shop.example',
  full_name: 'Ann',
  subscription_plan: 'freelance',
  subscription_status: 'active',
  credits: 100,
  generations_left: 99,
  total_generations: 100,
  granted: 101,
  settled: 2,
  settled_unlimited: 0,
  forfeited: 0,
  refunded: 0,
  holds: [],
  grants: [],
  forfeits: [],
  refunds: [],
  reinstates: [],
  support_added: [],
  support_removed: [],
  support: { added: 0, removed: 0 },
  free_images: { due: false, granted: 0, left: 0 },
  remakes: { month: null, used: 0, made: 0 },
  fair_use: { period_start: null, used: 0 },
  stripe_customer_id: 'cus_1',
  former_customers: [],
  subscription_id: 'sub_1',
  subscription_data: {
    current_period_start: created,
    current_period_end: renewal,
    cancel_at_period_end: false,
    payment_method: 'card',
    last4: '4242',
    card_brand: 'visa',
    is_trial: false,
    trial_end: null,
    next_plan: null,
    plan_since: new Date(0),
  },
  grace_until: null,
  images_end_at: null,
  period_refunded: false,
  returned_grant: null,
  billing_asked: 1,
  billing_applied: 1,
  pending_emails: [],
  billing_lease_until: null,
  billing_seen_at: created,
  billing_retry: null,
  revision: 7,
  last_login: null,
  login_count: 0,
  account_locked: false,
  security_level: 'standard',
  two_factor_enabled: false,
  email_verified: false,
  deletion_asked_at: null,
  created_at: created,
  updated_at: created,
};
const settle: CreditEntryRow = {
  _id: 'entry',
  profile: 'seller',
  kind: 'settle',
  key: id,
  count: 1,
  period: null,
  at: created,
};
const seller: SellerAtRest = {
  profile,
  rows: [row],
  entries: [settle],
  submissions: [{ key: 'key', images: 1, accepted: [[id], [id]], refused: undefined }],
  batches: [{ id: 'batch', state: 'ended' }],
  view: {
    generations: new Map([[id, presentGeneration(row, null)]]),
    subscription: presentSubscription(profile),
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
    ['files of a deleted one', withRow({ deletion: { stage: 'purged', at: created } })],
    [
      'a hold',
      withSeller({
        profile: {
          ...profile,
          holds: [{ generation: id, count: 1, balance: 'metered', lapsed: false, at: created }],
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
    ['it shows a deleted one', withRow({ deletion: { stage: 'undoable', at: created } })],
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
