import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { pages } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { AccountPage } from './account-page.tsx';
import { confirmReachable } from './api/confirm-reachable.ts';
import { LinkDone, LinkExpired, LinkFailed } from './link-status.tsx';

const title = 'Confirm that our email reaches you';

/** Target of the link in the mail to an address whose mail came back. Has a button, because mail scanners open links. */
export function ConfirmReachablePage() {
  const headingRef = usePage(title);
  const client = useQueryClient();
  const token = useSearchParams()[0].get('token') ?? '';
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => confirmReachable(token),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.me }),
  });
  if (isSuccess) {
    return (
      <LinkDone headingRef={headingRef} title="Thanks, that worked" lead="You'll get our email again." />
    );
  }
  if (token === '' || (error instanceof ApiError && error.code === 'TOKEN_INVALID')) {
    return (
      <LinkExpired
        headingRef={headingRef}
        lead="It was already used or is too old. You can ask for another one in your account settings."
        to={pages.profile}
        label="Open your account settings"
      />
    );
  }
  if (error)
    return <LinkFailed headingRef={headingRef} title={title} error={error} onRetry={() => mutate()} />;
  return (
    <AccountPage headingRef={headingRef} title={title} lead="Our email to this address came back before.">
      <Button variant="primary" className="w-full" disabled={isPending} onClick={() => mutate()}>
        {isPending ? 'One moment...' : 'Confirm my email'}
      </Button>
    </AccountPage>
  );
}
