import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { firstCharacter, isolateName, type UserView } from '#contract';
import { Name } from '#web/ui/name.tsx';

/** Whose menu it is, and how its button looks. */
export interface AccountMenuProps extends Pick<ComponentProps<'button'>, 'children' | 'className'> {
  user: UserView;
}

/** The button that opens the account menu: the seller's initial, or what is given instead. */
export function AccountButton({
  user,
  children,
  className = 'inline-flex min-h-11 items-center gap-2 rounded-full p-1 pr-2.5 hover:bg-sunken',
  ...button
}: ComponentProps<'button'> & { user: UserView }) {
  return (
    <button
      type="button"
      aria-label={`Account of ${isolateName(user.displayName)}`}
      aria-haspopup="menu"
      className={className}
      {...button}
    >
      {children ?? (
        <>
          <span
            aria-hidden
            className="grid size-9 place-items-center rounded-full bg-accent text-sm font-bold text-accent-ink uppercase"
          >
            <Name>{firstCharacter(user.displayName)}</Name>
          </span>
          <ChevronDown aria-hidden className="size-4 text-ink-soft" />
        </>
      )}
    </button>
  );
}
