import type { LucideIcon } from 'lucide-react';
import { X } from 'lucide-react';

interface ActionBarProps {
  /** How many images are marked. */
  count: number;
  actions: readonly { key: string; name: string; Icon: LucideIcon; run: () => void }[];
  isPending: boolean;
  onClear: () => void;
}

/** What can be done with the marked images, at the bottom of the window. */
export function ActionBar({ count, actions, isPending, onClear }: ActionBarProps) {
  return (
    <section
      aria-label="Marked images"
      className="fixed inset-x-0 bottom-(--bottom-bar) z-20 border-t border-line bg-surface p-2 pb-[max(0.5rem,var(--dock-safe-area))] shadow-card sm:inset-x-auto sm:bottom-4 sm:left-1/2 sm:-translate-x-1/2 sm:rounded-card sm:border sm:px-3"
    >
      <div className="sm:flex sm:items-center sm:gap-2">
        <div className="flex items-center justify-between gap-1 pl-2">
          <p role="status" className="text-sm font-semibold whitespace-nowrap">
            {count} marked
          </p>
          <button
            type="button"
            aria-label="Clear marks"
            title="Clear marks"
            onClick={onClear}
            className="grid size-11 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink"
          >
            <X aria-hidden className="size-5" />
          </button>
        </div>
        <div className="flex justify-between gap-1 sm:gap-2">
          {actions.map(({ key, name, Icon, run }) => (
            <button
              key={key}
              type="button"
              // Not `disabled`, which would take the focus away.
              aria-disabled={isPending}
              onClick={() => !isPending && run()}
              className="grid min-h-11 flex-1 place-items-center rounded-field px-2 py-1 text-xs font-semibold whitespace-nowrap hover:bg-sunken aria-disabled:opacity-60 sm:flex sm:flex-none sm:gap-2 sm:px-3 sm:text-sm"
            >
              <Icon aria-hidden className="size-4.5" />
              {name}
            </button>
          ))}
        </div>
      </div>
    </section>
  );
}
