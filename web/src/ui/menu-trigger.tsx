import { Ellipsis, type LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

export interface MenuItem {
  name: string;
  Icon: LucideIcon;
  onSelect: () => void;
  disabled?: boolean;
}

export interface MenuProps {
  /** What is on the button. */
  label: string;
  items: readonly MenuItem[];
}

/** The button of a menu. */
export function MenuTrigger({ label, ...rest }: ComponentProps<'button'> & Pick<MenuProps, 'label'>) {
  return (
    <Button variant="secondary" {...rest}>
      <Ellipsis aria-hidden className="size-4.5" />
      {label}
    </Button>
  );
}
