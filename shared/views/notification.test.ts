import { expect, test } from 'vitest';
import type { NotificationContent } from '#shared/data/notifications.ts';
import { notificationText } from './notification.ts';

const at = new Date('2026-12-03T23:59:00Z');
const name = 'Walnut bowl';

const failed = (product_name: string, asked: number): NotificationContent => {
  return { kind: 'image-failed', data: { product_name, asked, failure: 'NO_IMAGE_DATA' } };
};
const low = (data: Extract<NotificationContent, { kind: 'low-balance' }>['data']): NotificationContent => {
  return { kind: 'low-balance', data };
};

test.for<[NotificationContent, title: string, text: string]>([
  [{ kind: 'image-ready', data: { product_name: name, made: 1, asked: 1 } }, 'Your image is ready', name],
  [{ kind: 'image-ready', data: { product_name: '', made: 4, asked: 4 } }, 'Your 4 images are ready', ''],
  [{ kind: 'image-ready', data: { product_name: name, made: 1, asked: 4 } }, '1 of 4 images are ready', name],
  [failed(name, 1), "We couldn't create your image", 'Walnut bowl: No image data returned from API'],
  [failed('', 2), "We couldn't create your 2 images", 'No image data returned from API'],
  [
    failed('כד (2)', 1),
    "We couldn't create your image",
    '\u2068כד (2)\u2069: No image data returned from API',
  ],
  [
    low({ left: 1, renews_at: at }),
    'Only 1 image left',
    'Your plan renews on December 3, 2026. Upgrade for more until then.',
  ],
  [low({ left: 0, renews_at: null }), 'No images left', 'Renew or upgrade your plan to create more.'],
  [low({ left: 1, renews_at: null, free: true }), 'Only 1 free image left', 'Choose a plan to create more.'],
  [low({ left: 0, renews_at: null, free: true }), 'No free images left', 'Choose a plan to create more.'],
  [
    { kind: 'batch-ended', data: { batch: 'b', name: 'Autumn', made: 1, failed: 2, cancelled: 3 } },
    'Your batch is done, with some failures',
    'Autumn: 1 image ready, 2 failed, 3 cancelled.',
  ],
  [
    { kind: 'payment-succeeded', data: { plan: 'freelance', images: 100, until: at } },
    'Payment received',
    'Freelance plan until December 3, 2026: 100 images added.',
  ],
  [
    { kind: 'payment-succeeded', data: { plan: 'enterprise', images: null, until: at } },
    'Payment received',
    'Enterprise plan until December 3, 2026.',
  ],
  [
    { kind: 'payment-failed', data: { grace_until: at } },
    'Your payment failed',
    'Update your payment method by December 3, 2026 to keep creating images.',
  ],
  [
    { kind: 'payment-failed', data: { grace_until: null } },
    'Your payment failed',
    'Update your payment method to keep creating images.',
  ],
  [
    { kind: 'plan-ended', data: { plan: 'freelance' } },
    'Your Freelance plan has ended',
    'Choose a plan to create more images.',
  ],
])('%o', ([content, title, text]) => {
  expect(notificationText(content)).toEqual({ title, text });
});
