import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { trashPage } from '#contract';
import { serverNow } from '#web/lib/clock.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Name } from '#web/ui/name.tsx';
import { isGone, toastErrors } from './outcomes.ts';
import { useTrashActions, useTrashed } from './trash-api.ts';
import { timeLeftText } from './trash-texts.ts';

interface TrashedNoticeProps {
  /** Of an image that the seller has, but not in the library. */
  id: string;
  onRestored: () => void;
  /** It is not in the trash either, or the seller does not want it. */
  onClose: () => void;
}

/** Says of an image that was asked for that it is in the trash, and restores it. */
export function TrashedNotice({ id, onRestored, onClose }: TrashedNoticeProps) {
  const { data: trashed, error } = useTrashed(id);
  const { restoring } = useTrashActions();
  const isAbsent = isGone(error);
  const client = useQueryClient();
  const closeGone = useEffectEvent(async () => {
    const queryKey = queryKeys.generation(id);
    // It may have been restored since it was not found.
    await client.refetchQueries({ queryKey });
    if (!isGone(client.getQueryState(queryKey)?.error)) return;
    toast('This image does not exist any more.', { id: `gone-${id}` });
    onClose();
  });
  useEffect(() => {
    if (isAbsent) void closeGone();
  }, [isAbsent]);
  if (!trashed) return null;
  const restore = () =>
    restoring.mutate([id], {
      onSuccess: (results) => {
        toastErrors(results, 'restored');
        if (results.some(({ status }) => status === 'fulfilled')) onRestored();
      },
    });
  return (
    <section
      aria-labelledby="trashed-heading"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-3 sm:p-4"
    >
      <img
        src={trashed.pictureUrl}
        alt=""
        className="sweep size-16 rounded-field border border-line object-cover sm:size-20"
      />
      <div role="status" className="min-w-48 flex-1">
        <h2 id="trashed-heading" className="font-semibold">
          This image is in the trash
        </h2>
        <p className="text-sm text-ink-soft">
          <Name>{trashed.productName || trashed.prompt}</Name>. {timeLeftText(trashed.removedAt, serverNow())}
          .
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={restore} disabled={restoring.isPending}>
          <RotateCcw aria-hidden className="size-4" />
          {restoring.isPending ? 'Restoring...' : 'Restore'}
        </Button>
        <Link to={trashPage} className={buttonClass('secondary')}>
          Open trash
        </Link>
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  );
}
