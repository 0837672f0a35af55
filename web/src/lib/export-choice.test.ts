import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findExportChoice, findRecentPresets, rememberExportChoice } from './export-choice.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

it('has the presets that were used last, the latest first, each once', () => {
  expect([findExportChoice(), findRecentPresets()]).toEqual([['amazon-main'], []]);
  rememberExportChoice(['ebay', 'etsy']);
  rememberExportChoice(['shopify', 'ebay']);
  rememberExportChoice([]);
  expect(findExportChoice()).toEqual(['shopify', 'ebay']);
  expect(findRecentPresets()).toEqual(['shopify', 'ebay', 'etsy']);
  const own = `own-${'0'.repeat(24)}` as const;
  rememberExportChoice([own]);
  expect([findExportChoice(), findRecentPresets()[0]]).toEqual([[own], own]);
  rememberExportChoice(['bol', 'otto', 'temu', 'walmart', 'zalando']);
  expect(findRecentPresets()).toEqual(['bol', 'otto', 'temu', 'walmart', 'zalando', own]);
});

it('begins anew where somebody else wrote, or where nothing can be stored', () => {
  localStorage.setItem('packshot-recent-export-presets', '["myspace"]');
  expect(findRecentPresets()).toEqual([]);
  vi.stubGlobal('localStorage', undefined);
  expect([findExportChoice(), findRecentPresets()]).toEqual([['amazon-main'], []]);
  expect(() => rememberExportChoice(['ebay'])).not.toThrow();
});
