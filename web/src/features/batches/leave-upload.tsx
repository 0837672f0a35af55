import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { pages } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { readBatchDraft, removeBatchDraft } from './batch-draft.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { findUploadSource } from './uploads.ts';
import { useDeleteBatch } from './use-batch-action.ts';
import { handOverTable } from './use-batch-table.ts';

interface LeaveUploadProps {
  /** Of a batch that was not started. */
  id: string;
  /** Whose table is kept; null keeps none. */
  draftSellerId: string | null;
}

/** Goes back to the table where this browser still has it, or deletes the batch. */
export function LeaveUpload({ id, draftSellerId }: LeaveUploadProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const source = findUploadSource(id);
  const { data: kept } = useQuery({
    queryKey: ['batch-draft', id],
    queryFn: () => (draftSellerId === null ? null : readBatchDraft(draftSellerId)),
    gcTime: 0,
  });
  const table = source?.table ?? (kept?.batchId === id ? kept : null);
  const deletion = useDeleteBatch(id, () => {
    if (draftSellerId !== null) void removeBatchDraft(draftSellerId, id);
    void navigate(pages.batches, { replace: true });
  });
  const change = useDeleteBatch(id, () => {
    if (table) handOverTable(table, [...(source?.files.values() ?? [])]);
    void navigate(`${pages.batches}/new`, { replace: true });
  });
  const isPending = deletion.isPending || change.isPending;
  const refusal = deletion.refusal ?? change.refusal;
  return (
    <div className="grid gap-3">
      {refusal && !asking && <Notice tone="danger">{refusal.message}</Notice>}
      <div className="flex flex-wrap gap-3">
        {table && (
          <Button variant="secondary" disabled={isPending} onClick={change.remove}>
            Change the table
          </Button>
        )}
        <Button
          variant="quiet"
          disabled={isPending}
          onClick={() => {
            deletion.clearRefusal();
            change.clearRefusal();
            setAsking(true);
          }}
        >
          Delete batch
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title="Delete this batch?"
          description="Its table and the photos that were uploaded for it are deleted. No image was used."
          label="Delete batch"
          busyLabel="Deleting..."
          busy={deletion.isPending}
          error={refusal?.message ?? null}
          onConfirm={deletion.remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
