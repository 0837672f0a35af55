import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { messageOf } from '#web/lib/api.ts';
import { loadPasskeys, usePasskeysOffered } from '#web/lib/passkeys/passkeys.ts';
import { Notice } from './notice.tsx';
import { SubmitButton } from './submit-button.tsx';

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

interface PasskeyCodeButtonProps {
  label?: string;
  /** Checks the other fields first: the code of a passkey works for minutes only. */
  isReady: () => Promise<boolean>;
  /** Sends the form with the code that stands for the passkey. */
  onCode: (code: string) => void;
}

/** Uses a passkey in a form that asks for a code; nothing where passkeys cannot be used. */
export function PasskeyCodeButton(props: PasskeyCodeButtonProps) {
  const { label = 'Use a passkey instead of a code', isReady, onCode } = props;
  if (!usePasskeysOffered()) return null;
  return (
    <PasskeyButton
      label={label}
      call={async () => ((await isReady()) ? (await loadPasskeys()).codeOfPasskey() : null)}
      onSuccess={onCode}
    />
  );
}

/** Whether the code in a form is a passkey's: after an error it must not stay there as if somebody had typed it. */
export function isPasskeyCode(code: string | undefined): boolean {
  return code !== undefined && /^pk[0-9a-f]{32}$/.test(code);
}
