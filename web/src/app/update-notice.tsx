import { useEffect, useState, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { createComponentCode } from '#web/lib/component-code.ts';
import { reloadPage } from '#web/lib/full-load.ts';
import { releaseWatch } from '#web/lib/release.ts';

const dialogCode = createComponentCode(async () => (await import('./update-dialog.tsx')).UpdateDialog);

/** Says that the server has another release than this page, and a day later asks to reload it. */
export function UpdateNotice() {
  const stage = useSyncExternalStore(releaseWatch.subscribe, releaseWatch.stage);
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (stage === 'same') return;
    let isOver = false;
    let shown: ReturnType<typeof toast> | undefined;
    const say = () => {
      shown = toast('Packshot was updated.', {
        description: 'Reload to use the new version. Your work is kept.',
        duration: Number.POSITIVE_INFINITY,
        position: 'bottom-right',
        action: { label: 'Reload', onClick: reloadPage },
        cancel: { label: 'Later', onClick: releaseWatch.later },
      });
    };
    // The dialog's code is of this release, which may be gone when it is needed: the message needs none.
    const loaded = dialogCode.preload();
    if (stage === 'updated') say();
    else void loaded.then(() => !isOver && (dialogCode.component ? setAsks(true) : say()));
    return () => {
      isOver = true;
      setAsks(false);
      toast.dismiss(shown);
    };
  }, [stage]);
  const Dialog = asks && dialogCode.component;
  return Dialog && <Dialog onReload={reloadPage} onLater={releaseWatch.later} />;
}
