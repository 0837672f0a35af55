import { useState } from 'react';
import { useFactors } from '#web/lib/passkeys/use-factors.ts';
import { Button } from '#web/ui/button.tsx';
import { DisableTwoFactorDialog } from './disable-two-factor-dialog.tsx';
import { EnableTwoFactorDialog } from './enable-two-factor-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';

/** Whether two-factor sign-in is on; adds and removes the authenticator app, and creates new recovery codes. */
export function TwoFactor({ enabled }: { enabled: boolean }) {
  const { data } = useFactors();
  const hasPasskeys = (data?.passkeys.length ?? 0) > 0;
  // Until it is known: whoever had two-factor sign-in before there were passkeys has an app.
  const hasApp = enabled && (data?.app ?? true);
  const [open, setOpen] = useState<'enable' | 'disable' | 'recovery-codes' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-6">
      <div className="min-w-0 flex-[1_1_16rem]">
        <h3 className="flex items-center gap-2.5 font-medium">
          Two-factor sign-in
          <span
            className={
              enabled
                ? 'rounded-full bg-good-wash px-2.5 py-0.5 text-sm font-semibold text-good'
                : 'rounded-full bg-sunken px-2.5 py-0.5 text-sm font-semibold text-ink-soft'
            }
          >
            {enabled ? 'On' : 'Off'}
          </span>
        </h3>
        <p className="text-sm text-ink-soft">
          {hasPasskeys
            ? `Asks for your passkey or a ${hasApp ? 'code from your phone' : 'recovery code'} when you sign in with your password.`
            : 'Asks for a code from your phone at sign-in.'}
        </p>
      </div>
      {enabled ? (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={() => setOpen('recovery-codes')}>
            New recovery codes
          </Button>
          {hasApp && (
            <Button variant="secondary" onClick={() => setOpen('disable')}>
              {hasPasskeys ? 'Remove the app' : 'Turn off'}
            </Button>
          )}
          {!hasApp && (
            <Button variant="secondary" onClick={() => setOpen('enable')}>
              Add an authenticator app
            </Button>
          )}
        </div>
      ) : (
        <Button variant="secondary" onClick={() => setOpen('enable')}>
          Turn on
        </Button>
      )}
      <EnableTwoFactorDialog open={open === 'enable'} onClose={close} twoFactor={enabled} />
      <RecoveryCodesDialog open={open === 'recovery-codes'} onClose={close} />
      <DisableTwoFactorDialog open={open === 'disable'} onClose={close} hasPasskeys={hasPasskeys} />
    </div>
  );
}
