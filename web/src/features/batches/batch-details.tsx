import { FileSpreadsheet, FolderArchive } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type BatchView, batchFileName, limits, paths, usualBatchPattern } from '#contract';
import { buttonClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { useBatchItems } from './api.ts';
import { BatchProgress } from './batch-progress.tsx';
import { BatchRow } from './batch-row.tsx';
import { BatchUpload } from './batch-upload.tsx';
import { useUpload } from './uploads.ts';
import { VirtualRows } from './virtual-rows.tsx';

interface BatchDetailsProps {
  batch: BatchView;
  /** Whose table is kept; null keeps none. */
  draftSellerId: string | null;
  /** What to show for an error that concerns the plan; null for any other. */
  renderPlanGate: (errorCode: string | null) => ReactNode;
}

/** One batch: its upload or its progress, and its rows. */
export function BatchDetails({ batch, draftSellerId, renderPlanGate }: BatchDetailsProps) {
  const upload = useUpload(batch.id);
  const isUploading = batch.state === 'uploading';
  return (
    <div className="grid gap-6">
      {isUploading ? (
        <BatchUpload batch={batch} draftSellerId={draftSellerId} renderPlanGate={renderPlanGate} />
      ) : (
        <BatchProgress batch={batch} renderPlanGate={renderPlanGate} />
      )}
      {batch.counts.succeeded > 0 && <BatchDownloads batch={batch} />}
      <VirtualRows
        keys={Array.from({ length: batch.rows }, (_, index) => index)}
        usualHeight={132}
        renderRow={(index) => (
          <BatchRow
            batchId={batch.id}
            index={index}
            // An upload says itself how far it is.
            missing={isUploading && upload?.phase !== 'uploading' ? batch.photosMissing : []}
            refused={upload?.refused}
          />
        )}
      />
    </div>
  );
}

/** The images of a batch as a ZIP, named by a pattern, and its report. */
function BatchDownloads({ batch: { id } }: { batch: BatchView }) {
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
