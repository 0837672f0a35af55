import { describe, expect, test } from 'vitest';
import { generationViewSchema, visibleStates } from '#contract';
import { presentUser } from '#server/accounts/present.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { HoldBalance } from '#shared/data/profiles/schema.ts';
import { noDailyImages } from '#shared/platform/daily-images.ts';
import { presentGeneration } from '#shared/views/generation.ts';
import { presentSubscription } from '#shared/views/subscription.ts';
import { paidPlan, sampleDate, sampleProfile, sampleRow } from '#tests/support/sample-rows.ts';

const row = sampleRow({ idempotency_key: 'a secret key', fingerprint: 'a fingerprint' });

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

describe('presentSubscription', () => {
  const held = (generation: string, balance: HoldBalance) => {
    return { generation, count: 1, balance, lapsed: false, at: sampleDate };
  };
  const profile = sampleProfile({
    ...paidPlan,
    generations_left: 10,
    holds: [held('a', 'metered'), held('b', 'unlimited'), held('c', 'free')],
    free_images: { due: false, granted: 3, left: 2 },
  });

  test('what is left does not count what is held under a limited plan', () => {
    expect(presentSubscription(profile, noDailyImages)).toMatchObject({
      generationsLeft: 9,
      generationsHeld: 3,
      freeImages: { granted: 3, left: 1, held: 1, due: false },
      unlimited: false,
    });
  });

  test('an unlimited plan has no number', () => {
    const unlimited = presentSubscription({ ...profile, subscription_plan: 'enterprise' }, noDailyImages);
    expect(unlimited).toMatchObject({ generationsLeft: null, totalGenerations: null, unlimited: true });
  });

  test('a plan that has ended is not active', () => {
    const ended = presentSubscription({ ...profile, subscription_status: 'canceled' }, noDailyImages);
    expect(ended).toMatchObject({ isActive: false, status: 'canceled' });
  });

  test('somebody without a name is called by the address', () => {
    expect(presentUser({ ...profile, full_name: '' }).displayName).toBe('ann');
  });
});
