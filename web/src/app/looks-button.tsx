import { type ComponentType, useState } from 'react';
import { networkError } from '#web/lib/api.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import type { LooksPanelProps } from './looks-panel.tsx';

/** The panel's code; undefined until it is loaded, when it is first opened. */
let Panel: ComponentType<LooksPanelProps> | undefined;

async function load(): Promise<void> {
  Panel ??= (await import('./looks-panel.tsx')).LooksPanel;
}

/** Opens the saved looks. */
export function LooksButton(props: Omit<LooksPanelProps, 'onClose'>) {
  const [open, setOpen] = useState(false);
  const show = () =>
    load().then(
      () => setOpen(true),
      () => showRefusal(networkError().message),
    );
  return (
    <>
      <button
        type="button"
        onClick={show}
        aria-haspopup="dialog"
        className="-my-2 inline-flex min-h-11 items-center rounded-field text-sm font-semibold text-accent hover:text-accent-hover"
      >
        Looks
      </button>
      {open && Panel && <Panel {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
