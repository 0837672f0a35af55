import { createComponentCode } from '#web/lib/component-code.ts';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';
import type { LooksPanelProps } from './looks-panel.tsx';

const panelCode = createComponentCode(async () => (await import('./looks-panel.tsx')).LooksPanel);

/** Opens the saved looks. */
export function LooksButton(props: Omit<LooksPanelProps, 'onClose'>) {
  const { Dialog: Panel, show, close } = useLoadedDialog(panelCode);
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
      {Panel && <Panel {...props} onClose={close} />}
    </>
  );
}
