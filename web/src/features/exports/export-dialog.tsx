import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import {
  type ExportFormat,
  type ExportPresetId,
  exportFormatNames,
  exportFormats,
  exportName,
  exportPreset,
  exportPresetIds,
  exportQuerySchema,
  type GenerationView,
  isolateName,
  limits,
  paths,
  usualNamePattern,
} from '#contract';
import { findExportChoice, rememberExportChoice } from '#web/lib/export-choice.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { CheckGroup } from '#web/ui/check-group.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { ExportChecks, imageName } from './export-checks.tsx';

interface ExportDialogProps {
  /** Finished images, of which the seller may leave out some. */
  images: readonly GenerationView[];
  /** The id of the only one that is chosen at first; all are without it. */
  chosenFirst?: string;
  onClose: () => void;
}

/** With more images, they cannot be left out one by one. */
const maxListed = 12;

const presetOptions = exportPresetIds.map((value) => ({ value, label: exportPreset(value).name }));
const formatOptions = exportFormats.map((value) => ({ value, label: exportFormatNames[value].name }));

/** Chooses formats for marketplaces, shows what is right and wrong with each file, and downloads them. */
export function ExportDialog({ images: offered, chosenFirst, onClose }: ExportDialogProps) {
  const [presets, setPresets] = useState<ExportPresetId[]>(findExportChoice);
  const [format, setFormat] = useState<ExportFormat>('png');
  const [name, setName] = useState<string>(usualNamePattern);
  const [chosen, setChosen] = useState(
    chosenFirst === undefined ? offered.map(({ id }) => id) : [chosenFirst],
  );
  const formatId = useId();
  const images = offered.filter(({ id }) => chosen.includes(id));
  const isNameValid = exportQuerySchema.shape.name.safeParse(name).success;
  const query = new URLSearchParams({
    images: images.map(({ id }) => id).join(),
    presets: presets.join(),
    format,
    name,
  });
  const files = images.length * presets.length;
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
          <CheckGroup legend="Formats" options={presetOptions} chosen={presets} onChange={setPresets} />
          {presets.includes('original') && (
            <div>
              <label htmlFor={formatId} className="mb-1.5 block text-sm font-semibold">
                File type of the original size
              </label>
              <Select id={formatId} value={format} options={formatOptions} onChange={setFormat} />
            </div>
          )}
          <Field
            label="File name"
            value={name}
            maxLength={limits.exportNameCharacters}
            onChange={(event) => setName(event.target.value)}
            error={isNameValid ? undefined : 'Use text, {product}, {preset} and {date}.'}
            hint={
              isNameValid && (
                <span className="break-all">{exampleOf(images[0] ?? offered[0]!, name, presets[0])}</span>
              )
            }
          />
        </div>
        <ExportChecks images={images} presets={presets} format={format} />
      </div>
      <div className="mt-6 flex justify-end">
        {files > 0 && isNameValid ? (
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

function exampleOf(
  { productName, createdAt }: GenerationView,
  pattern: string,
  preset: ExportPresetId = 'original',
) {
  const { extension } = exportFormatNames[exportPreset(preset).format ?? 'png'];
  const example = exportName(pattern, { productName, preset, askedAt: createdAt }, extension);
  return `For example ${isolateName(example)}`;
}
