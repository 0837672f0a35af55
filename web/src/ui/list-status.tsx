import type { UseInfiniteQueryResult } from '@tanstack/react-query';
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

interface PagedListFooterProps {
  list: UseInfiniteQueryResult;
  /** Called when the next page is asked for. */
  onMore?: () => void;
}

/** The end of a list that is loaded page by page: an error with a retry, or a button for the next page. */
export function PagedListFooter({ list, onMore }: PagedListFooterProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list;
  if (error) return <ListError error={error} onRetry={() => (data ? fetchNextPage() : refetch())} />;
  if (!hasNextPage) return null;
  return (
    <Button
      variant="secondary"
      className="mt-4"
      disabled={isFetchingNextPage}
      onClick={() => {
        onMore?.();
        void fetchNextPage();
      }}
    >
      {isFetchingNextPage ? 'Loading…' : 'Show more'}
    </Button>
  );
}
