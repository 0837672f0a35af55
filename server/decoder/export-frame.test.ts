/** What a file shows and its size, of each preset and of images of many shapes. */
import { expect, test } from 'vitest';
import { type ExportPresetId, exportPreset, exportPresetIds } from '#contract';
import { checkRules } from '#server/images/check-rules.ts';
import { exportFrame, type Rectangle } from './export-frame.ts';
import type { ExportFacts } from './jobs.ts';

const shapes = [
  [1_024, 1_024],
  [1_024, 1_536],
  [1_536, 1_024],
  [256, 256],
  [3_840, 2_160],
  // As somebody cropped it in the editor: to 5 % of its height, and of its width.
  [1_024, 52],
  [52, 1_024],
] as const;

/** Where the product may be in an image: unknown, large, or small. */
const products = (width: number, height: number): (Rectangle | null)[] => [
  null,
  { left: width * 0.05, top: height * 0.05, width: width * 0.9, height: height * 0.9 },
  { left: width * 0.4, top: height * 0.4, width: width * 0.1, height: height * 0.1 },
];

interface Made {
  id: ExportPresetId;
  from: { width: number; height: number };
  isOnWhite: boolean;
}

/** The facts of a file as `exportImage` has them. */
function factsOf({ id, from, isOnWhite }: Made, product: Rectangle | null): ExportFacts {
  const canPad = isOnWhite;
  const frame = exportFrame(from, exportPreset(id).rules, { product, content: product, canPad });
  return {
    from,
    ...frame.size,
    enlarged: frame.enlarged,
    sourceType: 'composite',
    usualBytes: 500_000,
    isCropped: false,
    isPadded: false,
    isCleared: false,
    wasClear: false,
    background: { isWhite: isOnWhite, isClear: true, share: isOnWhite ? 1 : 0 },
    productShare: product && { before: 1, after: frame.productShare ?? 0 },
    product,
    notWhite: [],
  };
}

/** Each file of a preset, with the facts and the findings about its size. */
function* filesOf(id: ExportPresetId) {
  for (const [width, height] of shapes) {
    for (const product of products(width, height)) {
      for (const isOnWhite of product ? [true] : [false, true]) {
        const facts = factsOf({ id, from: { width, height }, isOnWhite }, product);
        const findings = checkRules(exportPreset(id).rules, facts, 500_000).filter(({ name }) =>
          /side|Size/.test(name),
        );
        yield { facts, findings, of: `${width} × ${height}, ${product ? product.width : 'unknown'}` };
      }
    }
  }
}

test.for(exportPresetIds)('%s: what is enlarged more than twice fails', (id) => {
  for (const { facts, findings, of } of filesOf(id)) {
    for (const { outcome } of facts.enlarged > 2 ? findings : []) expect(outcome, of).toBe('fails');
  }
});

test.for(exportPresetIds)('%s: no file is enlarged to more than anybody wants', (id) => {
  const mosts = exportPreset(id).rules.flatMap((rule) => (rule.kind === 'longest-side' && rule.most) || []);
  for (const { facts, of } of filesOf(id)) {
    const longest = Math.max(facts.width, facts.height);
    expect(longest, of).toBeLessThanOrEqual(Math.min(...mosts));
    if (facts.enlarged > 1) expect(longest, of).toBeLessThanOrEqual(5_000);
    expect(Math.min(facts.width, facts.height), of).toBeGreaterThan(0);
  }
});

test.for(exportPresetIds)('%s: each file that keeps to the rules has the size they want', (id) => {
  const { rules } = exportPreset(id);
  for (const { facts, of } of filesOf(id)) {
    const outcomes = checkRules(exportPreset(id).rules, facts, 500_000);
    for (const [index, rule] of rules.entries()) {
      if (outcomes[index]?.outcome === 'fails') continue;
      const [shortest, longest] = [facts.width, facts.height].sort((a, b) => a - b) as [number, number];
      if (rule.kind === 'shortest-side') expect(shortest, of).toBeGreaterThanOrEqual(rule.least);
      if (rule.kind === 'longest-side') expect(longest, of).toBeGreaterThanOrEqual(rule.least);
      if (rule.kind === 'size') expect([facts.width, facts.height], of).toEqual([rule.width, rule.height]);
    }
  }
});

test.for(exportPresetIds.filter((id) => exportPreset(id).rules.some(({ kind }) => kind === 'ratio')))(
  '%s: each file has its ratio',
  (id) => {
    const ratio = exportPreset(id).rules.find((rule) => rule.kind === 'ratio')!;
    for (const { facts, of } of filesOf(id)) {
      expect(Math.abs(facts.width - (facts.height * ratio.width) / ratio.height), of).toBeLessThanOrEqual(1);
      const finding = checkRules(exportPreset(id).rules, facts, 500_000).find(
        ({ name }) => name === 'Aspect ratio',
      )!;
      expect(finding.outcome, of).not.toBe('fails');
    }
  },
);

test('a usual image is sharp enough for what each marketplace demands', () => {
  for (const id of exportPresetIds) {
    const facts = factsOf({ id, from: { width: 1_024, height: 1_024 }, isOnWhite: false }, null);
    const outcomes = checkRules(exportPreset(id).rules, facts, 500_000);
    const demanded = outcomes.filter(({ name, advised }) => /side|Size/.test(name) && !advised);
    expect([id, demanded.filter(({ outcome }) => outcome === 'fails')]).toEqual([id, []]);
  }
});

test('Shopify keeps the ratio of an image, with 2,048 pixels at its longest side', () => {
  for (const [width, height, expected] of [
    [1_024, 1_536, [1_365, 2_048]],
    [1_536, 1_024, [2_048, 1_365]],
    [1_024, 1_024, [2_048, 2_048]],
    [3_840, 2_160, [2_048, 1_152]],
  ] as const) {
    const facts = factsOf({ id: 'shopify', from: { width, height }, isOnWhite: true }, null);
    expect([facts.width, facts.height]).toEqual(expected);
    expect(checkRules(exportPreset('shopify').rules, facts, 500_000)[1]).toMatchObject({
      outcome: 'fixed',
      needed: '2,048 px',
    });
  }
});

test('a strip is not made as large as its shortest side would need, and the rule says why', () => {
  const strip = factsOf({ id: 'etsy', from: { width: 1_024, height: 52 }, isOnWhite: false }, null);
  expect([strip.width, strip.height]).toEqual([1_024, 52]);
  expect(checkRules(exportPreset('etsy').rules, strip, 500_000)[1]).toMatchObject({
    outcome: 'fails',
    measured: '52 px, enlarging it further would look blurred',
  });
});

test('for what a marketplace only recommends, an image is not enlarged more than twice', () => {
  const facts = factsOf({ id: 'walmart', from: { width: 1_024, height: 1_024 }, isOnWhite: false }, null);
  expect(facts).toMatchObject({ width: 2_048, height: 2_048, enlarged: 2 });
  expect(checkRules(exportPreset('walmart').rules, facts, 500_000)).toMatchObject([
    {},
    {},
    { name: 'Aspect ratio', outcome: 'pass', advised: false },
    { needed: 'at least 1,500 px', outcome: 'fixed', advised: false },
    { needed: 'at least 2,200 px', outcome: 'fails', advised: true },
    { name: 'File size' },
  ]);
});

test('the bytes of a file are between the least and the most', () => {
  const facts = factsOf({ id: 'bol', from: { width: 1_024, height: 1_024 }, isOnWhite: true }, null);
  const checked = (usualBytes: number, bytes: number) =>
    checkRules(exportPreset('bol').rules, { ...facts, usualBytes }, bytes).find(
      ({ name }) => name === 'File size',
    );
  const needed = 'at least 30 KB, at most 10 MB';
  expect(checked(20_000, 20_000)).toMatchObject({ outcome: 'fails', measured: '20 KB', needed });
  expect(checked(40_000, 40_000)).toMatchObject({ outcome: 'pass', measured: '40 KB' });
  const shrunk = checked(12 * 1024 ** 2, 8.5 * 1024 ** 2);
  expect(shrunk).toMatchObject({ outcome: 'fixed', measured: '12 MB, now 8.5 MB' });
});

test('what is cut off from a file has no mark in it', () => {
  const made = { id: 'amazon-main', from: { width: 2_000, height: 2_000 }, isOnWhite: false } as const;
  const places = [
    { left: 0, top: 0, width: 2_000, height: 60 },
    { left: 0, top: 100, width: 0, height: 400 },
    { left: 100, top: 2_000, width: 400, height: 0 },
  ];
  const rules = checkRules(
    exportPreset(made.id).rules,
    { ...factsOf(made, null), notWhite: places },
    500_000,
  );
  const { marks } = rules.find(({ name }) => name === 'Background')!;
  expect(marks).toEqual([{ kind: 'failing', label: 'Not white here', ...places[0] }]);
});
