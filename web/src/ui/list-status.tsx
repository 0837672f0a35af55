import { messageOf } from '#web/lib/api.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Shown when a list, or its next page, could not be loaded. */
export function ListError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className="mt-3 grid justify-items-start gap-2">
      <Notice tone="danger">{messageOf(error)}</Notice>
      <Button variant="secondary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
