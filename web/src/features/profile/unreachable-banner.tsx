import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { pages, paths, type UserView } from '#contract';
import { callApi, messageOf } from '#web/lib/api.ts';
import { Name } from '#web/ui/name.tsx';

/** Shown on every page while mail to the seller comes back: what that means, and the two ways on. */
export function UnreachableBanner({ user: { email, emailUnreachable } }: { user: UserView }) {
  const check = useMutation({ mutationFn: checkEmail, networkMode: 'online' });
  if (emailUnreachable === null) return null;
  const { kind, reason } = emailUnreachable;
  return (
    <aside aria-label="Email problem" className="border-b border-line bg-danger-wash text-danger">
      <div className="mx-auto flex max-w-[100rem] flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-[0.9375rem] sm:px-6">
        <CircleAlert aria-hidden className="size-4.5 shrink-0 max-sm:hidden" />
        <p className="min-w-0 flex-[1_1_16rem] [overflow-wrap:anywhere]">
          <strong className="font-semibold">
            We can't reach <Name>{email}</Name>.
          </strong>{' '}
          {kind === 'bounce' ? (
            <>
              Our email came back: “<Name>{reason}</Name>”.
            </>
          ) : (
            'Our email was reported as spam.'
          )}{' '}
          You'll miss everything about your account's safety.{' '}
          {check.isSuccess && 'We sent a link. Open it to get our email again.'}
          {check.error && messageOf(check.error)}
        </p>
        <Link
          to={pages.profile}
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-3"
        >
          Change your email
        </Link>
        {!check.isSuccess && (
          <button
            type="button"
            disabled={check.isPending}
            onClick={() => check.mutate()}
            className="inline-flex min-h-11 items-center font-semibold underline underline-offset-3"
          >
            {check.isPending ? 'Sending...' : 'It works again'}
          </button>
        )}
      </div>
    </aside>
  );
}

/** Sends a link to the seller's address, which proves that mail arrives again. Here, not in `api.ts`: every page loads this. @throws ApiError; RATE_LIMITED */
function checkEmail(): Promise<void> {
  return callApi('POST', paths.emailCheck, { status: 202, check: 'Look into your mailbox.' });
}
