import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { pages } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AccountPage } from './account-page.tsx';
import { keepTwoFactor } from './api/keep-two-factor.ts';
import { LinkDone, LinkExpired } from './link-status.tsx';

/** Target of the link in a mail about two-factor sign-in that our support is to turn off: keeps it, after a click. */
export function KeepTwoFactorPage() {
  const title = 'Keep two-factor sign-in';
  const headingRef = usePage(title);
  const token = useSearchParams()[0].get('token') ?? '';
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => keepTwoFactor(token),
    networkMode: 'always',
  });
  if (isSuccess) {
    return (
      <LinkDone
        headingRef={headingRef}
        title="Two-factor sign-in stays on"
        lead="If you didn't ask us to turn it off, someone else did. We recommend choosing a new password."
      />
    );
  }
  if (token === '' || (error instanceof ApiError && error.code === 'TOKEN_INVALID')) {
    return (
      <LinkExpired
        headingRef={headingRef}
        lead="It was already used, or two-factor sign-in is no longer to be turned off."
        to={pages.login}
        label="Sign in"
      />
    );
  }
  return (
    <AccountPage
      headingRef={headingRef}
      title={title}
      lead="Someone told our support that they own your account and cannot enter a code any more."
    >
      <div className="grid gap-5">
        {error && <Notice tone="danger">{messageOf(error)}</Notice>}
        <Button onClick={() => mutate()} disabled={isPending}>
          Keep two-factor sign-in on
        </Button>
      </div>
    </AccountPage>
  );
}
