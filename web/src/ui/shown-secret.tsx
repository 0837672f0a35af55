import { useLeaveGuard } from '#web/lib/use-leave-guard.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { DialogButtons } from './dialog.tsx';

/** A key or secret that is shown only once, with a button to copy it; for a dialog that nothing else closes. */
export function ShownSecret(props: { name: 'key' | 'secret'; secret: string; onSaved: () => void }) {
  const { name, secret, onSaved } = props;
  useLeaveGuard();
  return (
    <>
      <p
        data-testid={`api-${name}`}
        translate="no"
        className="rounded-field bg-sunken p-4 font-mono text-[0.9375rem] break-all select-all"
      >
        {secret}
      </p>
      <div className="mt-3">
        <CopyButton text={secret} otherwise={`Please select the ${name} and copy it.`} />
      </div>
      <DialogButtons>
        <Button onClick={onSaved}>I've saved it</Button>
      </DialogButtons>
    </>
  );
}
