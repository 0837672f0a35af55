import { useId } from 'react';
import { countText } from '#web/lib/count-text.ts';
import { inputClass } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { Select } from '#web/ui/select.tsx';
import { automatic, groupPhotos, skuPatterns } from './group-photos.ts';
import { baseName } from './photo-index.ts';
import type { TableRow } from './table-row.ts';

interface SkuPatternProps {
  /** Rows that were made of photos. */
  rows: readonly TableRow[];
  pattern: string;
  onChange: (pattern: string) => void;
}

const patternLabels: Readonly<Record<string, string>> = {
  [automatic]: 'Find it',
  '{sku}': '{sku}: each photo is a product',
  '{folder}': '{folder}: each folder is a product',
};
const own = 'own';

/** How products are found in the names of photos, with an example; the seller can say it. */
export function SkuPattern({ rows, pattern, onChange }: SkuPatternProps) {
  const id = useId();
  const listed = pattern === automatic || (skuPatterns as readonly string[]).includes(pattern);
  const paths = rows.flatMap(({ photos }) => photos);
  const groups = groupPhotos(paths, pattern);
  const fitting = groups.reduce((sum, group) => sum + (group.sku === '' ? 0 : group.paths.length), 0);
  const example =
    groups.find(({ sku, paths: ofGroup }) => sku !== '' && ofGroup.length > 1) ??
    groups.find(({ sku }) => sku !== '');
  return (
    <section
      aria-label="SKU from the file name"
      className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3"
    >
      <label htmlFor={id} className="text-sm font-semibold">
        SKU from the file name
      </label>
      <div className="w-64">
        <Select
          id={id}
          value={listed ? pattern : own}
          options={[
            ...[automatic, ...skuPatterns].map((value) => ({ value, label: patternLabels[value] ?? value })),
            { value: own, label: 'Your own pattern' },
          ]}
          onChange={(value) => onChange(value === own ? '{sku}_{any}' : value)}
        />
      </div>
      {!listed && (
        <input
          aria-label="Your own pattern"
          value={pattern}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value || '{sku}')}
          className={`${inputClass} max-w-48`}
        />
      )}
      <p className="min-w-0 flex-1 basis-64 text-sm text-ink-soft">
        {example && (
          <>
            <Name className="break-all">{baseName(example.paths.at(-1)!)}</Name>{' '}
            {example.paths.length > 1 ? `is photo ${example.paths.length} of ` : 'is '}
            <Name className="font-semibold text-ink">{example.sku}</Name>.{' '}
          </>
        )}
        {fitting < paths.length && `${fitting} of ${countText(paths.length, 'name')} have a SKU.`}
      </p>
    </section>
  );
}
