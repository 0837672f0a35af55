import { DropdownMenu } from 'radix-ui';
import { type FocusEvent, Fragment, useRef } from 'react';
import { type MenuItem, type MenuProps, MenuTrigger } from './menu-trigger.tsx';

const itemClass =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 text-[0.9375rem] outline-none data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-sunken forced-colors:data-highlighted:outline-2';

/** A button with its menu, open at first. A file of its own, which is loaded when a menu is first opened. */
export function OpenMenu({ items, focusesFirst = false, ...trigger }: MenuProps) {
  const isFirst = useRef(focusesFirst);
  // Radix does so itself from the second time on: it has not seen the key that opened the menu while its code was loaded.
  const focusFirst = ({ target, currentTarget }: FocusEvent) => {
    if (!isFirst.current || target !== currentTarget) return;
    isFirst.current = false;
    currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  };
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>
        <MenuTrigger {...trigger} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={8}
          collisionPadding={12}
          onFocus={focusFirst}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 animate-fade-in overflow-y-auto rounded-card border border-line bg-surface p-2 text-ink shadow-card"
        >
          {items.map((item) => (
            <Fragment key={item.name}>
              {item.heading && (
                <DropdownMenu.Label className="mt-1 border-t border-line px-3 pt-2 pb-1 text-xs font-semibold text-ink-soft">
                  {item.heading}
                </DropdownMenu.Label>
              )}
              <Item item={item} />
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ item }: { item: MenuItem }) {
  const { name, hint, Icon } = item;
  const content = (
    <>
      <Icon aria-hidden className="size-4.5 shrink-0 text-ink-soft" />
      <span>
        {name}
        {hint && <span className="block text-xs text-ink-soft">{hint}</span>}
      </span>
    </>
  );
  if ('href' in item) {
    return (
      <DropdownMenu.Item asChild className={itemClass}>
        <a href={item.href} download={item.download}>
          {content}
        </a>
      </DropdownMenu.Item>
    );
  }
  return (
    <DropdownMenu.Item disabled={item.disabled ?? false} className={itemClass} onSelect={item.onSelect}>
      {content}
    </DropdownMenu.Item>
  );
}
