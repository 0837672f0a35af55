import { type ComponentType, type KeyboardEvent, useState } from 'react';
import { createComponentCode } from '#web/lib/component-code.ts';
import { type MenuProps, MenuTrigger } from './menu-trigger.tsx';
import { toastError } from './toast-error.ts';

/** The menu, which few visits open. */
const menuCode = createComponentCode(async () => (await import('./open-menu.tsx')).OpenMenu);
const preloadMenu = () => void menuCode.preload();

/** A button that opens a menu of further actions. */
export function MenuButton({ items, ...trigger }: MenuProps) {
  const [Menu, setMenu] = useState<ComponentType<MenuProps>>();
  const open = () =>
    menuCode.load().then(
      (loaded) => setMenu(() => loaded),
      () => toastError('The menu could not be loaded. Please reload the page.'),
    );
  if (Menu) return <Menu {...trigger} items={items} />;
  const openWithArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    void open();
  };
  return (
    <MenuTrigger
      {...trigger}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
      onClick={open}
      onKeyDown={openWithArrow}
    />
  );
}
