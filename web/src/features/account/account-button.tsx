import { ChevronDown, UserRound } from 'lucide-react';
import type { ComponentProps } from 'react';
import { firstCharacter, isolateName, type UserView } from '#contract';
import { Name } from '#web/ui/name.tsx';

interface AccountButtonProps extends ComponentProps<'button'> {
  user: UserView;
  /** Below an icon, in the bar at the bottom of phones. */
  word?: string | undefined;
}

/** The button that opens the account menu: the seller's initial. */
export function AccountButton({ user, word, ...button }: AccountButtonProps) {
  return (
    <button
      type="button"
      aria-label={`Account of ${isolateName(user.displayName)}`}
      aria-haspopup="menu"
      className={
        word
          ? 'flex flex-col items-center gap-0.5 rounded-field px-3 py-1 text-xs font-semibold text-ink-soft'
          : 'inline-flex min-h-11 items-center gap-2 rounded-full p-1 pr-2.5 hover:bg-sunken'
      }
      {...button}
    >
      {word ? (
        <UserRound aria-hidden className="size-5.5" />
      ) : (
        <span
          aria-hidden
          className="grid size-9 place-items-center rounded-full bg-accent text-sm font-bold text-accent-ink uppercase"
        >
          <Name>{firstCharacter(user.displayName)}</Name>
        </span>
      )}
      {word ?? <ChevronDown aria-hidden className="size-4 text-ink-soft" />}
    </button>
  );
}
