import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from './button.tsx';
import { ListError } from './list-status.tsx';

/** The end of a list that is loaded page by page: an error with a retry, or a button for the next page. */
export function PagedListFooter({ list }: { list: UseInfiniteQueryResult }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list;
  if (error) return <ListError error={error} onRetry={() => (data ? fetchNextPage() : refetch())} />;
  if (!hasNextPage) return null;
  return (
    <Button
      variant="secondary"
      className="mt-4"
      disabled={isFetchingNextPage}
      onClick={() => fetchNextPage()}
    >
      {isFetchingNextPage ? 'Loading…' : 'Show more'}
    </Button>
  );
}
