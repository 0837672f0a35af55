import { useMutation } from '@tanstack/react-query';
import { messageOf } from '#web/lib/api.ts';
import { Name } from '#web/ui/name.tsx';
import { resendVerification } from './api.ts';

/** A button in the notice about an unverified address: resends the verification mail. */
export function ResendLink({ email }: { email: string }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => resendVerification(email),
    networkMode: 'always',
  });
  if (isSuccess)
    return (
      <p className="mt-1">
        We sent the link again to <Name>{email}</Name>.
      </p>
    );
  return (
    <p className="mt-1">
      {error && `${messageOf(error)} `}
      <button
        type="button"
        disabled={isPending}
        onClick={() => mutate()}
        className="inline-flex min-h-9 items-center font-semibold underline underline-offset-2"
      >
        {isPending ? 'Sending...' : 'Resend link'}
      </button>
    </p>
  );
}
