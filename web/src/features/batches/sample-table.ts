import { templates } from '#contract';
import { emptyCells } from './table-row.ts';
import { unparseTable } from './tables/parse-table.ts';

/** The table that sellers can download and fill in: one row with a scene, one with a template, one with several takes. */
export function sampleTable(): string {
  return unparseTable([
    {
      ...emptyCells,
      sku: 'MUG-001',
      name: 'Stoneware mug',
      photos: ['mug-1.jpg', 'mug-2.jpg'],
      scene: 'On an oak table in soft morning light',
      size: 'square',
      takes: '1',
    },
    {
      ...emptyCells,
      sku: 'VASE-014',
      name: 'Blue vase',
      photos: ['vase.jpg'],
      scene: 'Soft shadow, nothing else in the picture',
      template: templates[1].name,
      size: 'portrait',
      takes: '2',
    },
    {
      ...emptyCells,
      sku: 'SOAP-003',
      name: 'Lavender soap',
      photos: ['soap.jpg'],
      scene: 'On white marble beside a folded towel',
      size: 'landscape',
      takes: '1',
    },
  ]);
}
