import { Ellipsis, type LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

interface ItemText {
  name: string;
  /** A few words more, below the name. */
  hint?: string;
  Icon: LucideIcon;
  /** Above it, where a group begins. */
  heading?: string;
}

/** A further action: something that is done, or a file that is downloaded. */
export type MenuItem = ItemText &
  ({ onSelect: () => void; disabled?: boolean } | { href: string; download: string });

export interface MenuProps {
  /** What the button is called. */
  label: string;
  items: readonly MenuItem[];
  /** Instead of three dots. */
  Icon?: LucideIcon;
  /** Whether its first item gets the focus when it appears: it was opened with the keyboard. */
  focusesFirst?: boolean;
  className?: string;
}

/** The button of a menu. */
export function MenuTrigger({
  label,
  Icon = Ellipsis,
  className = 'px-3.5!',
  ...rest
}: ComponentProps<'button'> & Omit<MenuProps, 'items' | 'focusesFirst'>) {
  return (
    <Button variant="secondary" aria-label={label} title={label} className={className} {...rest}>
      <Icon aria-hidden className="size-4.5" />
    </Button>
  );
}
