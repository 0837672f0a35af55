import { useEffect, useState, useSyncExternalStore } from 'react';
import { createComponentCode } from '#web/lib/component-code.ts';
import { reloadPage } from '#web/lib/full-load.ts';
import { releaseWatch } from '#web/lib/release.ts';
import { textLinkClass } from '#web/ui/button.tsx';

const dialogCode = createComponentCode(async () => (await import('./update-dialog.tsx')).UpdateDialog);

/** Says that the server has another release than this page, and a day later asks to reload it. */
export function UpdateNotice() {
  const stage = useSyncExternalStore(releaseWatch.subscribe, releaseWatch.stage);
  const [shown, setShown] = useState<'nothing' | 'notice' | 'dialog'>('nothing');
  useEffect(() => {
    if (stage === 'same') return;
    let isOver = false;
    // The dialog's code is of this release, and may be gone when it is needed: the notice needs none.
    const loaded = dialogCode.preload();
    if (stage === 'updated') setShown('notice');
    else void loaded.then(() => !isOver && setShown(dialogCode.component ? 'dialog' : 'notice'));
    return () => {
      isOver = true;
      setShown('nothing');
    };
  }, [stage]);
  const Dialog = dialogCode.component;
  const button = (label: string, onClick: () => unknown) => (
    <button type="button" onClick={onClick} className={`min-h-11 rounded-field px-2 ${textLinkClass}`}>
      {label}
    </button>
  );
  return (
    <>
      <div role="status">
        {shown === 'notice' && (
          <div className="flex flex-wrap items-center justify-center gap-x-2 border-t border-line bg-accent-wash px-4 text-sm">
            <span className="py-2">
              Packshot was updated.
              <span className="max-sm:sr-only"> Your work is kept when you reload.</span>
            </span>
            <span>
              {button('Reload', reloadPage)}
              {button('Later', releaseWatch.later)}
            </span>
          </div>
        )}
      </div>
      {shown === 'dialog' && Dialog && <Dialog onReload={reloadPage} onLater={releaseWatch.later} />}
    </>
  );
}
