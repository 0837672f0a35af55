import { DropdownMenu } from 'radix-ui';
import { type MenuProps, MenuTrigger } from './menu-trigger.tsx';

/** A button with its menu, open at first. A file of its own, which is loaded when a menu is first opened. */
export function OpenMenu({ label, items }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>
        <MenuTrigger label={label} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={8}
          collisionPadding={12}
          className="z-50 min-w-56 animate-fade-in rounded-card border border-line bg-surface p-2 text-ink shadow-card"
        >
          {items.map(({ name, Icon, onSelect, disabled = false }) => (
            <DropdownMenu.Item
              key={name}
              disabled={disabled}
              onSelect={onSelect}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 text-[0.9375rem] outline-none data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-sunken"
            >
              <Icon aria-hidden className="size-4.5 text-ink-soft" />
              {name}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
