import { FileSpreadsheet, FolderArchive } from 'lucide-react';
import { useState } from 'react';
import {
  type BatchView,
  batchFileName,
  exportFormatNames,
  exportName,
  exportPresetIds,
  limits,
  type ShopSystem,
  shopSystems,
  usualBatchPattern,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { countText } from '#web/lib/count-text.ts';
import { buttonClass, textLinkClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { NamePattern } from '#web/ui/name-pattern.tsx';
import { PresetChoice } from '#web/ui/presets/preset-choice.tsx';
import { PresetLink } from '#web/ui/presets/preset-link.tsx';
import { useChosenPresets } from '#web/ui/presets/use-chosen-presets.ts';
import { LabelledSelect } from '#web/ui/select.tsx';
import { useBatchItems } from './api.ts';

/** Patterns that are offered; the first is used unless the seller chooses. */
const patterns = [
  { value: usualBatchPattern, label: 'SKU and number' },
  { value: '{asin}.{amazon}', label: 'Amazon, with ASIN: B000123456.MAIN' },
  { value: '{sku}.{amazon}', label: 'Amazon, with SKU: MUG-1.MAIN' },
  { value: '{name}-{n}', label: 'Name and number' },
  { value: '{sku}-{preset}-{n}', label: 'SKU, format and number' },
];

/** As they were made: that is what a ZIP without presets has. */
const offered = exportPresetIds.filter((id) => id !== 'original');

/** The images of a whole batch as a ZIP, in the formats of any marketplaces, named by a pattern; and its report. */
export function BatchDownloads({ batch }: { batch: BatchView }) {
  const { id, counts, approved, createdAt } = batch;
  const { available = counts.succeeded } = batch;
  const [pattern, setPattern] = useState(usualBatchPattern);
  const choice = useChosenPresets(() => []);
  const { presets, areThere } = choice;
  const [chosen, setChosen] = useState<'approved' | 'all'>();
  const [base, setBase] = useState('');
  const only = approved > 0 ? (chosen ?? 'approved') : 'all';
  const used = pattern.trim() || usualBatchPattern;
  const { data: items } = useBatchItems(id, 0);
  const first = items?.find(({ images }) => images.some(({ imageUrl }) => imageUrl)) ?? items?.[0];
  const { label = '', format, namePattern } = presets[0] ?? {};
  const { extension } = exportFormatNames[format ?? 'png'];
  const named = first && { ...first, row: first.index + 1, n: 1, place: 1, preset: label };
  const example =
    named &&
    (namePattern
      ? exportName(namePattern, { ...named, askedAt: createdAt }, extension)
      : batchFileName(used, named, extension));
  const query = new URLSearchParams({
    pattern: used,
    ...(only === 'approved' && { only }),
    ...(presets.length > 0 && { presets: presets.map((preset) => preset.id).join() }),
  });
  const files = (only === 'approved' ? approved : available) * Math.max(1, presets.length);
  return (
    <section
      aria-labelledby="downloads"
      className="grid gap-4 rounded-card border border-line bg-surface p-5 sm:p-6"
    >
      <h2 id="downloads" className="text-lg font-semibold">
        Export the whole batch
      </h2>
      {approved > 0 && (
        <LabelledSelect
          label="Images"
          value={only}
          options={[
            { value: 'approved', label: `${approved.toLocaleString('en')} approved` },
            { value: 'all', label: `All ${available.toLocaleString('en')}` },
          ]}
          onChange={setChosen}
        />
      )}
      <div className="grid items-start gap-4">
        <NamePattern
          patterns={patterns}
          value={pattern}
          onChange={setPattern}
          renderHint={() =>
            example && (
              <>
                {presets.length > 1 &&
                  !(namePattern ?? used).includes('{preset}') &&
                  `A folder for each format: `}
                <Name className="break-all">{example}</Name>
                {(namePattern ?? used).includes('{asin}') &&
                  '. A product without an ASIN is named by its SKU.'}
              </>
            )
          }
          own={{
            maxLength: limits.fileNameCharacters,
            hint: '{sku}, {asin}, {name}, {row}, {n}, {preset} and {amazon} are replaced',
          }}
        />
      </div>
      <details>
        <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
          Formats of marketplaces, and your own{presets.length > 0 && `: ${presets.length}`}
        </summary>
        <p className="mb-2 text-sm text-ink-soft">Without one, the images are PNG files as they were made.</p>
        <PresetChoice legend="Formats" offered={offered} choice={choice} />
      </details>
      <details>
        <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
          Table of products for a shop
        </summary>
        <div className="grid gap-3">
          <Field
            label="Where you put the files (optional)"
            type="url"
            value={base}
            placeholder="https://cdn.example.com/products/"
            onChange={(event) => setBase(event.target.value.trim())}
            error={isAddress(base) ? undefined : 'Use an address that begins with https://'}
            hint="Without it, the table has the names of the files."
          />
          {isAddress(base) && (
            <p className="flex flex-wrap gap-x-5">
              {shopSystems.map((system) => (
                <PresetLink
                  key={system}
                  href={`${batchPaths.batchProducts(id)}?${query}&${new URLSearchParams({ system, ...(base !== '' && { base }) })}`}
                  presets={presets}
                  areThere={areThere}
                  className={`inline-flex min-h-11 items-center ${textLinkClass}`}
                >
                  {shopNames[system]} product CSV
                </PresetLink>
              ))}
            </p>
          )}
        </div>
      </details>
      <div className="flex flex-wrap gap-3">
        <PresetLink
          href={`${batchPaths.batchArchive(id)}?${query}`}
          presets={presets}
          areThere={areThere}
          className={buttonClass()}
        >
          <FolderArchive aria-hidden className="size-4" />
          Download ZIP
        </PresetLink>
        <PresetLink
          href={`${batchPaths.batchReport(id)}?${query}&${new URLSearchParams({ delimiter: csvDelimiter() })}`}
          presets={presets}
          areThere={areThere}
          className={buttonClass('secondary')}
        >
          <FileSpreadsheet aria-hidden className="size-4" />
          Download report
        </PresetLink>
        <p className="self-center text-sm text-ink-soft">
          {countText(files, 'file')}. Large ones take a while: you can go on meanwhile.
        </p>
      </div>
    </section>
  );
}

const shopNames: Readonly<Record<ShopSystem, string>> = { shopify: 'Shopify', woocommerce: 'WooCommerce' };

/** Whether the beginning of an address can be used; nothing can. */
const isAddress = (text: string) => text === '' || /^https?:\/\/\S+\.\S+/.test(text);

/** What separates cells in a spreadsheet of the seller's language: a semicolon where fractions have a comma. */
const csvDelimiter = () => ((1.5).toLocaleString().includes(',') ? ';' : ',');
