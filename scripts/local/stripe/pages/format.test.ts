import { expect, test } from 'vitest';
import { formatDay, formatMoney, formatTime } from './layout.ts';

test('amounts have as many decimals as their currency', () => {
  expect(formatMoney(5000, 'usd')).toBe('$50.00');
  expect(formatMoney(-2483, 'usd')).toBe('-$24.83');
  expect(formatMoney(5000, 'jpy')).toBe('¥5,000');
  expect(formatMoney(19_900, 'eur')).toBe('€199.00');
});

test('dates and times are in UTC', () => {
  const lastSecond = Date.UTC(2026, 10, 21, 23, 59, 59) / 1000;
  expect(formatDay(lastSecond)).toBe('November 21, 2026');
  expect(formatTime(lastSecond)).toMatch(/^Nov 21, 2026, 11:59:59\sPM UTC$/);
});
