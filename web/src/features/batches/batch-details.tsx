import type { ReactNode } from 'react';
import type { BatchView } from '#contract';
import { BatchDownloads } from './batch-downloads.tsx';
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
