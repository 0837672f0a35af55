import { expect, test } from 'vitest';
import { exportPreset, exportPresets } from './export-preset-table.ts';
import { exportPresetGroups, exportPresetIds } from './export-presets.ts';

test('the presets are listed by their groups, and within these by their names', () => {
  expect(Object.keys(exportPresets)).toEqual(exportPresetIds);
  const placeOf = (id: (typeof exportPresetIds)[number]) => {
    const { group, name } = exportPreset(id);
    return `${exportPresetGroups.indexOf(group)} ${name.toLowerCase()}`;
  };
  expect(exportPresetIds).toEqual([...exportPresetIds].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)));
  expect(new Set(exportPresetIds.map((id) => exportPreset(id).name)).size).toBe(exportPresetIds.length);
});

test.for(exportPresetIds)('each rule of %s says where it comes from', (id) => {
  const { rules, source, origin, date } = exportPreset(id);
  expect(date).toMatch(/^2026-11-\d\d$/);
  if (source !== null) expect(new URL(source).protocol).toBe('https:');
  for (const { kind, confirmed, advised } of rules) {
    if (confirmed) expect(source, kind).not.toBeNull();
    else expect(origin, kind).not.toBeNull();
    // Only a marketplace itself can recommend something.
    if (advised) expect(confirmed, kind).toBe(true);
  }
  if (rules.every(({ confirmed }) => confirmed)) expect(origin).toBeNull();
});

test.for(exportPresetIds)('the rules of %s do not contradict each other', (id) => {
  const { rules, format } = exportPreset(id);
  const mosts = rules.flatMap((rule) => (rule.kind === 'longest-side' && rule.most) || []);
  for (const rule of rules) {
    if (rule.kind === 'format') expect(rule.format).toBe(format);
    if (rule.kind === 'longest-side' || rule.kind === 'shortest-side')
      for (const most of mosts) expect(rule.least).toBeLessThanOrEqual(most);
  }
  // One of them makes the shape of the file.
  expect(rules.filter(({ kind }) => kind === 'size' || kind === 'ratio').length).toBeLessThanOrEqual(1);
});
