import { hasEnded } from '#contract';
import { useUploadProgress } from '#web/features/studio/submission.tsx';
import { createComponentCode } from '#web/lib/component-code.ts';
import { usePending } from '#web/lib/generations.ts';
import { PopoverButton } from '#web/ui/popover-button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

const trayCode = createComponentCode(async () => (await import('./tray-popover.tsx')).TrayPopover);

/** Leads to the upload and the images that are being made, from every page, and to those that have ended since it was opened. */
export function TrayButton() {
  const views = usePending();
  const uploading = useUploadProgress() !== null;
  if (views.length === 0 && !uploading) return null;
  const count = views.filter(({ state }) => !hasEnded(state)).length + (uploading ? 1 : 0);
  return (
    <PopoverButton code={trayCode} aria-label={count === 0 ? 'Finished images' : `${count} in progress`}>
      {count === 0 ? (
        <span className="text-lg text-accent">✓</span>
      ) : (
        <>
          <Spinner className="text-accent" /> {count}
        </>
      )}
    </PopoverButton>
  );
}
