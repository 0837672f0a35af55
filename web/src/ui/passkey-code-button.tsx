import { loadPasskeys } from '#web/lib/passkeys/load-passkeys.ts';
import { usePasskeysOffered } from '#web/lib/passkeys/use-passkeys-offered.ts';
import { PasskeyButton } from './passkey-button.tsx';

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
