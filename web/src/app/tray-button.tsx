import { hasEnded } from '#contract';
import { usePending } from '#web/lib/generations.ts';
import { PopoverButton } from '#web/ui/popover-button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

const load = async () => (await import('./tray-popover.tsx')).TrayPopover;

/** Leads to the images that are being made, from every page, and to those that have ended since it was opened. */
export function TrayButton() {
  const views = usePending();
  if (views.length === 0) return null;
  const count = views.filter(({ state }) => !hasEnded(state)).length;
  return (
    <PopoverButton load={load} aria-label={count === 0 ? 'Finished images' : `${count} in progress`}>
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
