import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { keepPasswordPath, type Me, pages } from '#contract';
import { callApi, messageOf } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';

const linkClass = 'inline-flex min-h-11 items-center font-semibold underline underline-offset-3';

/** Keeps the password although it is old. @throws ApiError */
const keepPassword = (): Promise<void> =>
  callApi('POST', keepPasswordPath, {
    status: 204,
    check: 'Reload the page: it says whether the reminder is gone.',
  });

/** Shown on every page while the password is as old as the seller wants to be reminded of: change it, or keep it. */
export function PasswordReminder({ me }: { me: Me }) {
  const client = useQueryClient();
  const keep = useMutation({
    mutationFn: keepPassword,
    networkMode: 'online',
    onSuccess: () => {
      client.setQueryData<Me | null>(queryKeys.me, (cached) => cached && { ...cached, passwordDue: false });
      // The reminder had the focus, and is gone.
      document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
    },
  });
  if (!me.passwordDue) return null;
  const { passwordExpiryDays, passwordChangeForced: forced } = me.settings;
  return (
    <aside aria-label="Your password" className="border-b border-line bg-accent-wash">
      <div className="mx-auto flex max-w-[100rem] flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-[0.9375rem] sm:px-6">
        <KeyRound aria-hidden className="size-4.5 shrink-0 max-sm:hidden" />
        <p className="min-w-0 flex-[1_1_16rem]">
          You've had your password for more than {passwordExpiryDays} days.{' '}
          {forced
            ? "You'll choose a new one when you sign in next."
            : "If it's long and only used here, you can keep it."}
          {keep.error && ` ${messageOf(keep.error)}`}
        </p>
        <Link to={`${pages.security}#change-password`} className={linkClass}>
          Change it
        </Link>
        {!forced && (
          <button type="button" disabled={keep.isPending} onClick={() => keep.mutate()} className={linkClass}>
            Keep my password
          </button>
        )}
      </div>
    </aside>
  );
}
