import { FileSpreadsheet, FolderArchive } from 'lucide-react';
import { useState } from 'react';
import {
  type BatchView,
  batchFileName,
  type ExportPresetId,
  exportFormatNames,
  exportPreset,
  exportPresetIds,
  limits,
  paths,
  usualBatchPattern,
} from '#contract';
import { buttonClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { PresetChoice } from '#web/ui/preset-choice.tsx';
import { LabelledSelect } from '#web/ui/select.tsx';
import { useBatchItems } from './api.ts';
import { countText } from './batch-text.ts';

/** Patterns that are offered; the first is used unless the seller chooses. */
const patterns = [
  { value: usualBatchPattern, label: 'SKU and number' },
  { value: '{sku}.{amazon}', label: "Amazon's names: MAIN, PT01" },
  { value: '{name}-{n}', label: 'Name and number' },
  { value: '{sku}-{preset}-{n}', label: 'SKU, format and number' },
] as const;
const own = 'own';

/** As they were made: that is what a ZIP without presets has. */
const offered = exportPresetIds.filter((id) => id !== 'original');

/** The images of a whole batch as a ZIP, in the formats of any marketplaces, named by a pattern; and its report. */
export function BatchDownloads({ batch: { id, counts } }: { batch: BatchView }) {
  const [pattern, setPattern] = useState<string>(usualBatchPattern);
  const [isOwn, setIsOwn] = useState(false);
  const [presets, setPresets] = useState<ExportPresetId[]>([]);
  const used = pattern.trim() || usualBatchPattern;
  const { data: items } = useBatchItems(id, 0);
  const first = items?.find(({ images }) => images.some(({ imageUrl }) => imageUrl)) ?? items?.[0];
  const format = (presets[0] && exportPreset(presets[0]).format) ?? 'png';
  const example =
    first &&
    batchFileName(
      used,
      { ...first, row: first.index + 1, n: 1, preset: presets[0] ?? '' },
      exportFormatNames[format].extension,
    );
  const query = new URLSearchParams({
    pattern: used,
    ...(presets.length > 0 && { presets: presets.join() }),
  });
  const files = counts.succeeded * Math.max(1, presets.length);
  return (
    <section
      aria-labelledby="downloads"
      className="grid gap-4 rounded-card border border-line bg-surface p-5 sm:p-6"
    >
      <h2 id="downloads" className="text-lg font-semibold">
        Download
      </h2>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <LabelledSelect
          label="File names"
          value={isOwn ? own : pattern}
          options={[...patterns, { value: own, label: 'Your own pattern' }]}
          onChange={(value) => {
            setIsOwn(value === own);
            if (value !== own) setPattern(value);
          }}
        >
          {example && (
            <>
              {presets.length > 1 && !used.includes('{preset}') && `A folder for each format: `}
              <Name className="break-all">{example}</Name>
            </>
          )}
        </LabelledSelect>
        {isOwn && (
          <Field
            label="Pattern"
            value={pattern}
            maxLength={limits.fileNameCharacters}
            onChange={(event) => setPattern(event.target.value)}
            hint="{sku}, {name}, {row}, {n}, {preset} and {amazon} are replaced"
          />
        )}
      </div>
      <details>
        <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
          Formats of marketplaces{presets.length > 0 && `: ${presets.length}`}
        </summary>
        <p className="mb-2 text-sm text-ink-soft">Without one, the images are PNG files as they were made.</p>
        <PresetChoice legend="Formats" offered={offered} chosen={presets} onChange={setPresets} />
      </details>
      <div className="flex flex-wrap gap-3">
        <a href={`${paths.batchArchive(id)}?${query}`} download className={buttonClass()}>
          <FolderArchive aria-hidden className="size-4" />
          Download ZIP
        </a>
        <a
          href={`${paths.batchReport(id)}?delimiter=${encodeURIComponent(csvDelimiter())}`}
          download
          className={buttonClass('secondary')}
        >
          <FileSpreadsheet aria-hidden className="size-4" />
          Download report
        </a>
        <p className="self-center text-sm text-ink-soft">
          {countText(files, 'file')}. Large ones take a while: you can go on meanwhile.
        </p>
      </div>
    </section>
  );
}

/** What separates cells in a spreadsheet of the seller's language: a semicolon where fractions have a comma. */
const csvDelimiter = () => ((1.5).toLocaleString().includes(',') ? ';' : ',');
