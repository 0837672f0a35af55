import { expect, test } from 'vitest';
import { PortalVisits } from './portal-access.ts';

test('a portal session must be opened within five minutes and used at least once an hour', () => {
  let now = 1_000_000;
  const visits = new PortalVisits({ now: () => now });
  const session = { id: 'bps_1', created: now };
  const late = { id: 'bps_2', created: now };
  now += 300;
  expect(visits.use(session)).toBe(true);
  now += 1;
  expect(visits.use(late)).toBe(false);
  now += 3599;
  expect(visits.use(session)).toBe(true);
  now += 3600;
  expect(visits.use(session)).toBe(true);
  now += 3601;
  expect(visits.use(session)).toBe(false);
  expect(visits.use(session)).toBe(false);
});
