import { useMutation } from '@tanstack/react-query';
import { messageOf } from '#web/lib/api.ts';
import { resendVerification } from './api/resend-verification.ts';

/** Offers the verification mail once more, within a message that says it is missing. */
export function ResendLink({ email }: { email: string }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => resendVerification(email),
    networkMode: 'always',
  });
  if (isSuccess) return <p className="mt-1">We have sent it again to {email}.</p>;
  return (
    <p className="mt-1">
      {error && `${messageOf(error)} `}
      <button
        type="button"
        disabled={isPending}
        onClick={() => mutate()}
        className="inline-flex min-h-9 items-center font-semibold underline underline-offset-2"
      >
        {isPending ? 'Sending...' : 'Send the mail again'}
      </button>
    </p>
  );
}
