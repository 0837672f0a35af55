import { type ComponentType, type KeyboardEvent, useState } from 'react';
import { toast } from 'sonner';
import type { UserView } from '#contract';
import { createComponentCode } from '#web/lib/component-code.ts';
import { AccountButton } from './account-button.tsx';

/** The menu, which few visits open. */
const menuCode = createComponentCode(async () => (await import('./open-account-menu.tsx')).OpenAccountMenu);
const preloadMenu = () => void menuCode.preload();

/** The menu with the signed-in seller, the profile, the theme and signing out. */
export function AccountMenu({ user }: { user: UserView }) {
  const [Menu, setMenu] = useState<ComponentType<{ user: UserView }>>();
  const open = () =>
    menuCode.load().then(
      (loaded) => setMenu(() => loaded),
      () => toast.error('The menu could not be loaded. Please reload the page.'),
    );
  if (Menu) return <Menu user={user} />;
  const openWithArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    void open();
  };
  return (
    <AccountButton
      user={user}
      aria-expanded={false}
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
      onClick={open}
      onKeyDown={openWithArrow}
    />
  );
}
