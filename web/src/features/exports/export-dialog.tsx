import { useQueries } from '@tanstack/react-query';
import clsx from 'clsx';
import { CircleCheck, CircleX, Download, Wrench } from 'lucide-react';
import { useId, useState } from 'react';
import {
  asinRule,
  asinSchema,
  type ExportCheck,
  type ExportFormat,
  type ExportPresetId,
  exportFormatNames,
  exportFormats,
  exportName,
  exportPlaceholders,
  exportPreset,
  exportQuerySchema,
  type GenerationView,
  isolateName,
  limits,
  paths,
  usualNamePattern,
} from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { findExportChoice, rememberExportChoice } from '#web/lib/export-choice.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { CheckGroup } from '#web/ui/check-group.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { NamePattern } from '#web/ui/name-pattern.tsx';
import { PresetChoice } from '#web/ui/preset-choice.tsx';
import { Select } from '#web/ui/select.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { checkExport } from './api.ts';

interface ExportDialogProps {
  /** Finished images, of which the seller may leave out some. */
  images: readonly GenerationView[];
  /** The id of the only one that is chosen at first; all are without it. */
  chosenFirst?: string;
  onClose: () => void;
}

/** With more images, they cannot be left out one by one. */
const maxListed = 12;

const formatOptions = exportFormats.map((value) => ({ value, label: exportFormatNames[value].name }));

/** Chooses formats for marketplaces, shows what is right and wrong with each file, and downloads them. */
export function ExportDialog({ images: offered, chosenFirst, onClose }: ExportDialogProps) {
  const [presets, setPresets] = useState<ExportPresetId[]>(findExportChoice);
  const [format, setFormat] = useState<ExportFormat>('png');
  const [name, setName] = useState<string>(usualNamePattern);
  const [chosen, setChosen] = useState(
    chosenFirst === undefined ? offered.map(({ id }) => id) : [chosenFirst],
  );
  const [asin, setAsin] = useState('');
  const formatId = useId();
  const images = offered.filter(({ id }) => chosen.includes(id));
  const isNameValid = exportQuerySchema.shape.name.safeParse(name).success;
  const asksForAsin = name.includes('{asin}') && images.some((view) => !view.asin);
  const readAsin = asinSchema.safeParse(asin);
  const query = new URLSearchParams({
    images: images.map(({ id }) => id).join(),
    presets: presets.join(),
    format,
    name,
    ...(asksForAsin && readAsin.data && { asin: readAsin.data }),
  });
  const files = images.length * presets.length;
  const example = (
    <span className="break-all">{exampleOf(images[0] ?? offered[0]!, name, presets[0], readAsin.data)}</span>
  );
  return (
    <Dialog open onClose={onClose} title="Export" description="Files as marketplaces want them." wide>
      <div className="grid gap-6 md:grid-cols-[18rem_minmax(0,1fr)]">
        <div className="grid content-start gap-5">
          {offered.length > maxListed && <p className="font-semibold">{offered.length} images</p>}
          {offered.length > 1 && offered.length <= maxListed && (
            <CheckGroup
              legend="Images"
              options={offered.map((view) => ({ value: view.id, label: imageName(view, offered) }))}
              chosen={chosen}
              onChange={setChosen}
            />
          )}
          <PresetChoice legend="Formats" chosen={presets} onChange={setPresets} />
          {presets.includes('original') && (
            <div>
              <label htmlFor={formatId} className="mb-1.5 block text-sm font-semibold">
                File type of the original size
              </label>
              <Select id={formatId} value={format} options={formatOptions} onChange={setFormat} />
            </div>
          )}
          <NamePattern
            patterns={namePatterns}
            value={name}
            onChange={setName}
            renderHint={(isOwn) => isNameValid && !isOwn && example}
            own={{
              maxLength: limits.exportNameCharacters,
              error: isNameValid ? undefined : `Use text and ${placeholderList}.`,
              hint: isNameValid && (
                <>
                  {example}. {placeholderList} are replaced.
                </>
              ),
            }}
          />
          {asksForAsin && (
            <Field
              label="ASIN"
              value={asin}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setAsin(event.target.value)}
              error={readAsin.success ? undefined : asinRule}
              hint={
                images.length > 1
                  ? 'For the images that have none of their own. Without it, files are named by SKU or product.'
                  : 'Without it, the file is named by SKU or product.'
              }
            />
          )}
        </div>
        <ExportChecks images={images} presets={presets} format={format} />
      </div>
      <div className="mt-6 flex justify-end">
        {files > 0 && isNameValid && (readAsin.success || !asksForAsin) ? (
          <a
            href={`${paths.exports}?${query}`}
            download
            onClick={() => rememberExportChoice(presets)}
            className={buttonClass('primary', 'w-full sm:w-auto')}
          >
            <Download aria-hidden className="size-4.5" />
            {files === 1 ? 'Download file' : `Download ${files} files (ZIP)`}
          </a>
        ) : (
          <button type="button" disabled className={buttonClass('primary', 'w-full sm:w-auto')}>
            Download
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** Patterns of names that are offered; the first is used unless the seller chooses. */
const namePatterns = [
  { value: usualNamePattern, label: 'Product, format and date' },
  { value: '{sku}_{preset}_{n}', label: 'SKU, format and number' },
  { value: '{asin}.{amazon}', label: 'Amazon: B000123456.MAIN' },
];
const placeholderList = exportPlaceholders.map((name) => `{${name}}`).join(', ');

/** The name of the first file. @param typed an ASIN for images that have none */
function exampleOf(
  { productName, sku, asin, createdAt }: GenerationView,
  pattern: string,
  preset: ExportPresetId = 'original',
  typed = '',
) {
  const { extension } = exportFormatNames[exportPreset(preset).format ?? 'png'];
  const file = { asin: asin || typed, sku, name: productName, place: 1, preset, askedAt: createdAt };
  return `For example ${isolateName(exportName(pattern, file, extension))}`;
}

interface ExportChecksProps {
  images: readonly GenerationView[];
  presets: readonly ExportPresetId[];
  /** Of the preset `original`. */
  format: ExportFormat;
}

/** The files that will be downloaded, each with the rules of its preset and how it obeys them. */
function ExportChecks({ images, presets, format }: ExportChecksProps) {
  const checked = images.slice(0, limits.exportImagesChecked);
  const files = checked.flatMap((view) => presets.map((preset) => ({ view, preset })));
  const checks = useQueries({
    queries: files.map(({ view, preset }) => ({
      queryKey: [
        'export-check',
        view.id,
        view.edits?.version ?? null,
        preset,
        preset === 'original' ? format : null,
      ],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        checkExport({ image: view.id, preset, format }, signal).then((check) => check ?? null),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  if (presets.length === 0 || images.length === 0)
    return <p className="text-ink-soft">Choose at least one format.</p>;
  return (
    <ul aria-label="Files" className="grid content-start gap-4">
      {images.length > checked.length && (
        <li className="text-sm text-ink-soft">
          The first {checked.length} images as examples. The others are made in the same way.
        </li>
      )}
      {files.map(({ view, preset }, index) => {
        const { data, error } = checks[index] ?? {};
        const of = images.length > 1 ? `, ${imageName(view, images)}` : '';
        const { name, toCheck } = exportPreset(preset);
        return (
          <li key={`${view.id}-${preset}`} className="rounded-field border border-line p-4">
            <h3 className="font-semibold">{name + of}</h3>
            {data && <Findings check={data} />}
            {error && <p className="mt-1 text-sm text-danger">{messageOf(error)}</p>}
            {!data && !error && (
              <p className="mt-1 flex items-center gap-2 text-sm text-ink-soft">
                <Spinner /> Checking…
              </p>
            )}
            {toCheck && <p className="mt-2 text-sm text-ink-soft">Please check yourself: {toCheck}</p>}
            <Source preset={preset} />
          </li>
        );
      })}
    </ul>
  );
}

const outcomes = {
  pass: { label: 'Pass', Icon: CircleCheck, className: 'text-good' },
  fixed: { label: 'Fixed by us', Icon: Wrench, className: 'text-good' },
  fails: { label: 'Fails', Icon: CircleX, className: 'text-danger' },
} as const;

function Findings({ check }: { check: ExportCheck }) {
  const { width, height, bytes, enlarged, rules } = check;
  const size =
    bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return (
    <>
      <p className="mt-1 text-sm text-ink-soft tabular-nums">
        {width} × {height} px, {size}
        {enlarged > 1 && `, enlarged ${enlarged.toFixed(1)} times`}
      </p>
      <ul className="mt-2 grid gap-2 text-sm">
        {rules.map(({ name, outcome, measured, needed, confirmed, advised }) => {
          const { label, Icon, className } = outcomes[outcome];
          return (
            <li key={name + needed} className="flex items-start gap-2">
              <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', className)} />
              <span className="min-w-0">
                <strong className="font-semibold">{name}:</strong> {measured}.{' '}
                <span className="text-ink-soft">
                  {basisOf(confirmed, advised)} {needed}.
                </span>{' '}
                <span className={clsx('font-semibold', className)}>{label}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Who says so. */
function basisOf(confirmed: boolean, advised: boolean): string {
  if (!confirmed) return 'Commonly recommended:';
  return advised ? 'The marketplace recommends' : 'Needs';
}

/** Where the rules come from. */
function Source({ preset }: { preset: ExportPresetId }) {
  const { source, origin, date } = exportPreset(preset);
  if (!source && !origin) return null;
  return (
    <p className="mt-2 text-sm break-words text-ink-soft">
      {source && (
        <>
          <a href={source} target="_blank" rel="noreferrer" className="underline">
            The marketplace's own page
          </a>
          .{' '}
        </>
      )}
      {origin && `What is commonly recommended comes from ${origin}. `}Looked up on{' '}
      <span className="whitespace-nowrap">{date}</span>.
    </p>
  );
}

/** What an image is called beside others: its number in their set, or its product. */
function imageName(view: GenerationView, all: readonly GenerationView[]): string {
  const isSet = all.every(({ set }) => set.id === view.set.id);
  return isSet ? `Image ${view.set.index + 1}` : isolateName(view.productName || view.prompt);
}
