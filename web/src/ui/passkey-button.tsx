import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { messageOf } from '#web/lib/api.ts';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';

interface PasskeyButtonProps<Result> {
  label: string;
  /** Null to do nothing, because something else is missing. */
  call: () => Promise<Result | null>;
  onSuccess: (result: Result) => void;
}

/** A button that uses a passkey, with the reason below it if that fails. */
export function PasskeyButton<Result>({ label, call, onSuccess }: PasskeyButtonProps<Result>) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: call,
    networkMode: 'always',
    onSuccess: (result) => {
      if (result !== null) onSuccess(result);
    },
  });
  return (
    <div className="grid gap-3">
      <SubmitButton
        type="button"
        variant="secondary"
        className="w-full"
        busy={isPending}
        busyLabel="Waiting for your passkey..."
        onClick={() => mutate()}
      >
        <KeyRound aria-hidden className="size-4.5" />
        {label}
      </SubmitButton>
      {error && <Notice tone="danger">{messageOf(error)}</Notice>}
    </div>
  );
}
