import { expect, it } from 'vitest';
import { sampleSubscription } from '#tests/support/samples.ts';
import { formatPrice } from '#web/lib/price.ts';
import { balanceText, shortBalanceText } from './balance-text.ts';
import { findPlanGate } from './plan-gate.ts';

const packImages = { bought: 40, left: 20, held: 0, arriving: 0 };
const without = { canGenerate: false, isActive: false, status: 'inactive' } as const;
const free = { granted: 3, left: 2, held: 0, due: false };

it('says what the plan has and what packs have', () => {
  const text = (details: Parameters<typeof sampleSubscription>[0]) =>
    balanceText(sampleSubscription({ packImages, ...details }));
  expect(text({ generationsLeft: 12 })).toBe('12 this month + 20 from packs');
  expect(text({ generationsLeft: 0 })).toBe('0 this month + 20 from packs');
  expect(text({ unlimited: true, generationsLeft: null })).toBe('Unlimited images');
  expect(text({ ...without, freeImages: free })).toBe('2 free + 20 from packs');
  expect(text({ ...without })).toBe('20 images from packs');
  expect(text({ generationsLeft: 12, packImages: { ...packImages, left: 0 } })).toBe('12 of 100 left');
  expect(text({ generationsLeft: 12, packImages: undefined })).toBe('12 of 100 left');
});

it('says the sum on phones', () => {
  const text = (details: Parameters<typeof sampleSubscription>[0]) =>
    shortBalanceText(sampleSubscription({ packImages, ...details }));
  expect(text({ generationsLeft: 12 })).toBe('32 images left');
  expect(text({ ...without, freeImages: free })).toBe('22 images left');
  expect(text({ unlimited: true, generationsLeft: null })).toBe('Unlimited images');
  expect(text({ generationsLeft: 12, packImages: undefined })).toBe('12 of 100 left');
});

it('opens the studio while images of packs are left or on hold, whatever the plan says', () => {
  for (const details of [without, { generationsLeft: 0 }, { canGenerate: false }] as const) {
    expect(findPlanGate(sampleSubscription({ ...details, packImages }), null)).toBeNull();
    const held = { ...packImages, left: 0, held: 1 };
    expect(findPlanGate(sampleSubscription({ ...details, packImages: held }), null)).toBeNull();
    // A payment that is under way is no image yet.
    const arriving = { ...packImages, left: 0, arriving: 20 };
    expect(findPlanGate(sampleSubscription({ ...details, packImages: arriving }), null)).not.toBeNull();
  }
});

it('shows cents only where there are some', () => {
  expect(formatPrice(900)).toBe('$9');
  expect(formatPrice(1950)).toBe('$19.50');
});
