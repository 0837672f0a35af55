import { type ComponentType, type KeyboardEvent, useState } from 'react';
import { toast } from 'sonner';
import type { UserView } from '#contract';
import { AccountButton } from './account-button.tsx';

/** Loads the menu, which few visits open; imported once. */
const loadMenu = async () => (await import('./open-account-menu.tsx')).OpenAccountMenu;
const preloadMenu = () => void loadMenu().catch(() => {});

/** The menu with the signed-in seller, the profile, the theme and signing out. */
export function AccountMenu({ user }: { user: UserView }) {
  const [Menu, setMenu] = useState<ComponentType<{ user: UserView }>>();
  const open = () =>
    loadMenu().then(
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
