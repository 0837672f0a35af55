import { useQueries } from '@tanstack/react-query';
import clsx from 'clsx';
import { CircleCheck, CircleX, Wrench } from 'lucide-react';
import {
  type ExportCheck,
  type ExportFormat,
  type ExportPresetId,
  exportPreset,
  type GenerationView,
  isolateName,
  limits,
} from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { checkExport } from './api.ts';

interface ExportChecksProps {
  images: readonly GenerationView[];
  presets: readonly ExportPresetId[];
  /** Of the preset `original`. */
  format: ExportFormat;
}

/** The files that will be downloaded, each with the rules of its preset and how it obeys them. */
export function ExportChecks({ images, presets, format }: ExportChecksProps) {
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
        {rules.map(({ name, outcome, measured, needed, confirmed }) => {
          const { label, Icon, className } = outcomes[outcome];
          return (
            <li key={name + needed} className="flex items-start gap-2">
              <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', className)} />
              <span className="min-w-0">
                <strong className="font-semibold">{name}:</strong> {measured}.{' '}
                <span className="text-ink-soft">
                  {confirmed ? 'Needs' : 'Commonly recommended:'} {needed}.
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

function Source({ preset }: { preset: ExportPresetId }) {
  const { source, date } = exportPreset(preset);
  if (!source) return null;
  return (
    <p className="mt-2 text-sm text-ink-soft">
      <a href={source} target="_blank" rel="noreferrer" className="underline">
        The marketplace's own page
      </a>
      , looked up on {date}
    </p>
  );
}

/** What an image is called beside others: its number in their set, or its product. */
export function imageName(view: GenerationView, all: readonly GenerationView[]): string {
  const isSet = all.every(({ set }) => set.id === view.set.id);
  return isSet ? `Image ${view.set.index + 1}` : isolateName(view.productName || view.prompt);
}
