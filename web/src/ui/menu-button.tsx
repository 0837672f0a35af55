import { type ComponentType, type KeyboardEvent, useState } from 'react';
import { createComponentCode } from '#web/lib/component-code.ts';
import { type MenuProps, MenuTrigger } from './menu-trigger.tsx';
import { toastError } from './toast-error.ts';

/** The menu, which few visits open. */
const menuCode = createComponentCode(async () => (await import('./open-menu.tsx')).OpenMenu);
const preloadMenu = () => void menuCode.preload();

/** A button that opens a menu of further actions. */
export function MenuButton({ items, ...trigger }: Omit<MenuProps, 'focusesFirst'>) {
  const [Menu, setMenu] = useState<ComponentType<MenuProps>>();
  const [focusesFirst, setFocusesFirst] = useState(false);
  const open = (byKeyboard: boolean) => {
    setFocusesFirst(byKeyboard);
    return menuCode.load().then(
      (loaded) => setMenu(() => loaded),
      () => toastError('The menu could not be loaded. Please reload the page.'),
    );
  };
  if (Menu) return <Menu {...trigger} items={items} focusesFirst={focusesFirst} />;
  const openWithArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    void open(true);
  };
  return (
    <MenuTrigger
      {...trigger}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
      // No button of a mouse was pressed.
      onClick={(event) => open(event.detail === 0)}
      onKeyDown={openWithArrow}
    />
  );
}
