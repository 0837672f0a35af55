import { expect, test } from 'vitest';
import { withoutSecrets } from './log.ts';

test.each([
  ['/api/generations?limit=24', '/api/generations?limit=24'],
  ['/verify-email?token=abc', '/verify-email?token=[redacted]'],
  ['/verify-email?token=abc&next=studio', '/verify-email?token=[redacted]&next=studio'],
  ['/verify-email?next=studio&Token=a=b', '/verify-email?next=studio&Token=[redacted]'],
  ['/verify-email?%74oken=abc', '/verify-email?%74oken=[redacted]'],
  ['/verify-email?%zz=abc', '/verify-email?%zz=[redacted]'],
  ['/verify-email', '/verify-email'],
  ['/?', '/?'],
])('%s is logged as %s', (url, logged) => {
  expect(withoutSecrets(url)).toBe(logged);
});
