import { expect, it } from 'vitest';
import type { GenerationView } from '#contract';
import { endTitle } from './notifications.ts';
import { requestEnd } from './request-end.ts';

it.for<[GenerationView['state'][], string]>([
  [['succeeded'], 'Your image is ready'],
  [['failed'], "We couldn't create your image"],
  [['succeeded', 'succeeded'], 'Your 2 images are ready'],
  [['succeeded', 'failed', 'cancelled'], '1 of 3 images ready'],
  [['failed', 'cancelled'], "We couldn't create your images"],
])('the notification says of %j: %s', ([states, title]) => {
  const takes = states.map((state) => ({ state }));
  expect(endTitle(takes, requestEnd(takes)!)).toBe(title);
});
