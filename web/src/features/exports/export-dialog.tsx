import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import {
  asinRule,
  asinSchema,
  type ExportFormat,
  exportFormatNames,
  exportFormats,
  exportQuerySchema,
  type GenerationView,
  isolateName,
  limits,
  type PresetId,
  paths,
  usualNamePattern,
} from '#contract';
import { findExportChoice, rememberExportChoice } from '#web/lib/export-choice.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CheckGroup } from '#web/ui/check-group.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { NamePattern } from '#web/ui/name-pattern.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { namePatterns, placeholderList } from '#web/ui/presets/name-patterns.ts';
import { PresetChoice } from '#web/ui/presets/preset-choice.tsx';
import { PresetLink } from '#web/ui/presets/preset-link.tsx';
import { useChosenPresets } from '#web/ui/presets/use-chosen-presets.ts';
import { Select } from '#web/ui/select.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ExportPreview } from './export-preview.tsx';
import { useExportFiles } from './use-export-files.ts';

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
  const choice = useChosenPresets(findExportChoice);
  const { presets, areThere, presetsNow } = choice;
  const ids = presets.map(({ id }) => id);
  const [format, setFormat] = useState<ExportFormat>('png');
  const [name, setName] = useState<string>(usualNamePattern);
  const [chosen, setChosen] = useState(
    chosenFirst === undefined ? offered.map(({ id }) => id) : [chosenFirst],
  );
  const [asin, setAsin] = useState('');
  const formatId = useId();
  const images = offered.filter(({ id }) => chosen.includes(id));
  const isNameValid = exportQuerySchema.shape.name.safeParse(name).success;
  const asksForAsin =
    presets.some(({ namePattern }) => (namePattern ?? name).includes('{asin}')) &&
    images.some((view) => !view.asin);
  const readAsin = asinSchema.safeParse(asin);
  const typedAsin = asksForAsin ? readAsin.data : undefined;
  const query = new URLSearchParams({
    images: images.map(({ id }) => id).join(),
    presets: ids.join(),
    format,
    name,
    ...(typedAsin && { asin: typedAsin }),
  });
  const exported = useExportFiles(images, { presets, format, name, asin: typedAsin });
  const { files, show, isLarge, saved } = exported;
  const choose = (next: PresetId[]) => {
    choice.choose(next);
    const added = next.find((id) => !ids.includes(id));
    if (added) show(images[0] && { image: images[0], preset: { id: added } });
  };
  const canSave = files.length > 0 && !choice.isLoading && isNameValid && (readAsin.success || !asksForAsin);
  const saveLabel =
    files.length > 1
      ? `Download ${files.length} files (ZIP)`
      : files.length === 1
        ? 'Download file'
        : 'Download';
  const example = files[0] && (
    <span className="break-all">{`For example ${isolateName(files[0].fileName)}`}</span>
  );
  return (
    <Dialog open onClose={onClose} title="Export" description="Files as marketplaces want them." wide="most">
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
          <PresetChoice legend="Formats" choice={{ ...choice, choose }} />
          {ids.includes('original') && (
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
                  {example && <>{example}. </>}
                  {placeholderList} are replaced.
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
        <ExportPreview
          files={files}
          at={exported.at}
          onShow={(index) => show(files[index])}
          nameOf={({ image, preset }) =>
            isolateName(preset.name) + (images.length > 1 ? `, ${imageName(image, images)}` : '')
          }
        />
      </div>
      {exported.saveError && (
        <div className="mt-6">
          <Notice tone="danger">{exported.saveError}</Notice>
        </div>
      )}
      <div className="mt-6 flex flex-wrap items-center justify-end gap-4">
        <span role="status" className="text-sm text-ink-soft tabular-nums">
          {saved !== null && files.length > 1 && `${saved} of ${files.length} files made`}
        </span>
        {isLarge && canSave ? (
          <PresetLink
            href={`${paths.exports}?${query}`}
            presets={presets}
            areThere={areThere}
            onDownload={() => rememberExportChoice(ids)}
            className={buttonClass('primary', 'w-full sm:w-auto')}
          >
            <Download aria-hidden className="size-4.5" />
            {saveLabel}
          </PresetLink>
        ) : (
          <Button
            disabled={!canSave}
            aria-disabled={saved !== null}
            onClick={() => {
              if (saved !== null) return;
              rememberExportChoice(ids);
              void exported.save(() => presetsNow(presets));
            }}
            className="w-full sm:w-auto"
          >
            {saved === null ? <Download aria-hidden className="size-4.5" /> : <Spinner />}
            {saveLabel}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** What an image is called beside others: its number in their set, or its product. */
function imageName(view: GenerationView, all: readonly GenerationView[]): string {
  const isSet = all.every(({ set }) => set.id === view.set.id);
  return isSet ? `Image ${view.set.index + 1}` : isolateName(view.productName || view.prompt);
}
