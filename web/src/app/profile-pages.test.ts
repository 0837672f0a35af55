import { expect, test } from 'vitest';
import { movedTo } from './profile-pages.ts';

test.each([
  ['/profile#plans', '/profile/plan#plans'],
  ['/profile#subscription', '/profile/plan'],
  ['/profile#billing', '/profile/plan'],
  ['/profile?checkout=success', '/profile/plan?checkout=success'],
  ['/profile?portal=return', '/profile/plan?portal=return'],
  ['/profile#images', '/profile/usage'],
  ['/profile#settings', '/profile/preferences'],
  ['/profile#security', '/profile/security'],
  ['/profile#sessions', '/profile/security#sessions'],
  ['/profile#data', '/profile/data'],
])('the old link %s leads to %s', (old, target) => {
  expect(movedTo(new URL(old, 'https://packshot.example'))).toBe(target);
});

test.each([
  '/profile',
  '/profile#account',
  '/profile#nowhere',
  '/profile/plan#plans',
  '/profile/security#data',
])('%s stays where it is', (link) => {
  expect(movedTo(new URL(link, 'https://packshot.example'))).toBeNull();
});
