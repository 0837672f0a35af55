import { describe, expect, test } from 'vitest';
import { defaultOptions, generationViewSchema, visibleStates } from '#contract';
import { presentUser } from '#server/accounts/present.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { presentGeneration } from '#shared/views/generation.ts';
import { presentSubscription } from '#shared/views/subscription.ts';

const created = new Date('2026-11-21T23:59:00Z');
const id = '0123456789abcdef01234567';
const row: GenerationRow = {
  _id: id,
  profile: 'seller',
  idempotency_key: 'a secret key',
  fingerprint: 'a fingerprint',
  prompt: 'On a table',
  product_name: 'Cup',
  count: 1,
  quality: 'high',
  photos_show: 'one-product',
  options: { ...defaultOptions, seed: 1 },
  photo_set: id,
  set: { id, index: 0, size: 1 },
  trace: { id: 'trace', parent: 'span' },
  photos: [
    { key: 'generations/x/photo-0.png', width: 1, height: 1, bytes: 1, warnings: [] },
    { key: 'generations/x/photo-1.png', width: 1, height: 1, bytes: 1, warnings: [] },
  ],
  state: 'queued',
  revision: 3,
  fence: 0,
  priority: 10_000,
  queued_at: created,
  lease_until: null,
  progress: null,
  preview_key: null,
  image: null,
  failure: null,
  calls: { started: 0, under_way: false, lost: 0, server_errors: 0 },
  provider: null,
  created_at: created,
  started_at: null,
  ended_at: null,
};

describe('presentGeneration', () => {
  const everything: GenerationRow = {
    ...row,
    progress: { stage: 'drawing', previews: 1, previews_expected: 2 },
    preview_key: 'generations/x/preview-2-0.png',
    calls: { ...row.calls, started: 2 },
    failure: {
      code: 'PROVIDER_BUSY',
      provider_status: 429,
      provider_code: 'rate_limit_exceeded',
      provider_request_id: 'req_operator',
      detail: 'the provider said this',
    },
  };

  test('is what the contract says, in every state', () => {
    for (const state of visibleStates) {
      const view = presentGeneration({ ...everything, state }, 4);
      expect(generationViewSchema.parse(view)).toEqual(view);
    }
  });

  test('has a place only while queued, progress and preview only while running', () => {
    expect(presentGeneration({ ...everything, state: 'queued' }, 4)).toMatchObject({
      position: 4,
      progress: null,
      previewUrl: null,
    });
    expect(presentGeneration({ ...everything, state: 'running' }, 4)).toMatchObject({
      position: null,
      progress: { stage: 'drawing', waitingFor: null, previews: 1, previewsExpected: 2, attempt: 2 },
      previewUrl: '/api/generations/0123456789abcdef01234567/images/preview-2-0',
    });
    expect(presentGeneration({ ...everything, state: 'cancelled' }, 4)).toMatchObject({
      position: null,
      progress: null,
      previewUrl: null,
    });
  });

  test("keeps the operator's part to the operator", () => {
    const text = JSON.stringify(presentGeneration({ ...everything, state: 'failed' }, null));
    for (const secret of [
      'req_operator',
      'rate_limit_exceeded',
      'said this',
      'a secret key',
      'a fingerprint',
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});

const renewal = new Date('2027-01-01T00:00:00Z');

describe('presentSubscription', () => {
  const profile: ProfileRow = {
    _id: 'seller',
    email: 'ann@shop.example',
    full_name: 'Ann',
    subscription_plan: 'freelance',
    subscription_status: 'active',
    credits: 100,
    generations_left: 10,
    total_generations: 100,
    granted: 103,
    settled: 91,
    settled_unlimited: 0,
    forfeited: 0,
    refunded: 0,
    holds: [
      { generation: 'a', count: 1, balance: 'metered', lapsed: false, at: created },
      { generation: 'b', count: 1, balance: 'unlimited', lapsed: false, at: created },
      { generation: 'c', count: 1, balance: 'free', lapsed: false, at: created },
    ],
    grants: [],
    forfeits: [],
    refunds: [],
    reinstates: [],
    support_added: [],
    support_removed: [],
    support: { added: 0, removed: 0 },
    free_images: { due: false, granted: 3, left: 2 },
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
      plan_since: created,
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

  test('what is left does not count what is held under a limited plan', () => {
    expect(presentSubscription(profile)).toMatchObject({
      generationsLeft: 9,
      generationsHeld: 3,
      freeImages: { granted: 3, left: 1, held: 1, due: false },
      unlimited: false,
    });
  });

  test('an unlimited plan has no number', () => {
    const unlimited = presentSubscription({ ...profile, subscription_plan: 'enterprise' });
    expect(unlimited).toMatchObject({ generationsLeft: null, totalGenerations: null, unlimited: true });
  });

  test('a plan that has ended is not active', () => {
    const ended = presentSubscription({ ...profile, subscription_status: 'canceled' });
    expect(ended).toMatchObject({ isActive: false, status: 'canceled' });
  });

  test('somebody without a name is called by the address', () => {
    expect(presentUser({ ...profile, full_name: '' }).displayName).toBe('ann');
  });
});
