import { FileSpreadsheet, FolderArchive } from 'lucide-react';
import { useState } from 'react';
import { type BatchView, batchFileName, limits, paths, usualBatchPattern } from '#contract';
import { buttonClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { useBatchItems } from './api.ts';

/** The images of a batch as a ZIP, named by a pattern, and its report. */
export function BatchDownloads({ batch: { id } }: { batch: BatchView }) {
  const [pattern, setPattern] = useState<string>(usualBatchPattern);
  const used = pattern.trim() || usualBatchPattern;
  const { data: items } = useBatchItems(id, 0);
  const first = items?.find(({ images }) => images.some(({ imageUrl }) => imageUrl)) ?? items?.[0];
  const example = first && batchFileName(used, { ...first, row: first.index + 1, n: 1 }, 'png');
  return (
    <div className="grid items-start gap-4 rounded-card border border-line bg-surface p-5 sm:grid-cols-[minmax(0,24rem)_auto] sm:p-6">
      <Field
        label="File names"
        value={pattern}
        maxLength={limits.fileNameCharacters}
        onChange={(event) => setPattern(event.target.value)}
        hint={
          <>
            {'{sku}, {name}, {row} and {n}, the take, are replaced'}
            {example && (
              <>
                : <Name>{example}</Name>
              </>
            )}
          </>
        }
      />
      <div className="flex flex-wrap gap-3 sm:pt-6.5">
        <a
          href={`${paths.batchArchive(id)}?${new URLSearchParams({ pattern: used })}`}
          download
          className={buttonClass()}
        >
          <FolderArchive aria-hidden className="size-4" />
          Download ZIP
        </a>
        <a href={paths.batchReport(id)} download className={buttonClass('secondary')}>
          <FileSpreadsheet aria-hidden className="size-4" />
          Download report
        </a>
      </div>
    </div>
  );
}
