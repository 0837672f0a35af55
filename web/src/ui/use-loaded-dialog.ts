import { useState } from 'react';
import { networkError } from '#web/lib/api.ts';
import type { ComponentCode } from '#web/lib/component-code.ts';
import { toastError } from './toast-error.ts';

/** A dialog whose code is loaded when the seller is about to open it. */
export function useLoadedDialog<Props>(code: ComponentCode<Props>) {
  const [open, setOpen] = useState(false);
  return {
    /** The dialog while it is open. */
    Dialog: open ? code.component : undefined,
    /** Starts loading; opening it reports an error. */
    preload: () => void code.preload(),
    show: () =>
      void code.load().then(
        () => setOpen(true),
        () => toastError(networkError().message),
      ),
    close: () => setOpen(false),
  };
}
