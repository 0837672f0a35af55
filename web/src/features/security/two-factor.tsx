import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { EndTwoFactorDialog } from './end-two-factor-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { TwoFactorDialog } from './two-factor-dialog.tsx';

/** Two-factor sign-in: on or off, and its recovery codes. */
export function TwoFactor({ enabled }: { enabled: boolean }) {
  const [open, setOpen] = useState<'begin' | 'codes' | 'end' | null>(null);
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
        <p className="text-sm text-ink-soft">A code from your phone besides the password.</p>
      </div>
      {enabled ? (
        <div className="flex flex-wrap gap-2">
          <Button look="secondary" onClick={() => setOpen('codes')}>
            New recovery codes
          </Button>
          <Button look="secondary" onClick={() => setOpen('end')}>
            Turn off
          </Button>
        </div>
      ) : (
        <Button look="secondary" onClick={() => setOpen('begin')}>
          Turn on
        </Button>
      )}
      <TwoFactorDialog open={open === 'begin'} onClose={close} />
      <RecoveryCodesDialog open={open === 'codes'} onClose={close} />
      <EndTwoFactorDialog open={open === 'end'} onClose={close} />
    </div>
  );
}
