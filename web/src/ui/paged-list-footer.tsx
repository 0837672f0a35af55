import { messageOf } from '#web/lib/api.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface PagedListFooterProps {
  error: Error | null;
  hasNextPage: boolean;
  loadingNextPage: boolean;
  onRetry: () => void;
  onNextPage: () => void;
}

/** The end of a list that is loaded page by page: an error with a retry, or a button for the next page. */
export function PagedListFooter(props: PagedListFooterProps) {
  const { error, hasNextPage, loadingNextPage, onRetry, onNextPage } = props;
  if (error) {
    return (
      <div className="mt-3 grid justify-items-start gap-2">
        <Notice tone="danger">{messageOf(error)}</Notice>
        <Button variant="secondary" onClick={onRetry}>
          Try again
        </Button>
      </div>
    );
  }
  if (!hasNextPage) return null;
  return (
    <Button variant="secondary" className="mt-4" disabled={loadingNextPage} onClick={onNextPage}>
      {loadingNextPage ? 'Loading…' : 'Show more'}
    </Button>
  );
}
