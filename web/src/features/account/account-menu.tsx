import { type ComponentType, type KeyboardEvent, useState } from 'react';
import { toast } from 'sonner';
import { createComponentCode } from '#web/lib/component-code.ts';
import { AccountButton, type AccountMenuProps } from './account-button.tsx';

/** The menu, which few visits open. */
const menuCode = createComponentCode(async () => (await import('./open-account-menu.tsx')).OpenAccountMenu);
const preloadMenu = () => void menuCode.preload();

/** The menu with the signed-in seller, the profile, the theme and signing out. */
export function AccountMenu(account: AccountMenuProps) {
  const [Menu, setMenu] = useState<ComponentType<AccountMenuProps>>();
  const open = () =>
    menuCode.load().then(
      (loaded) => setMenu(() => loaded),
      () => toast.error('The menu could not be loaded. Please reload the page.'),
    );
  if (Menu) return <Menu {...account} />;
  const openWithArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    void open();
  };
  return (
    <AccountButton
      {...account}
      aria-expanded={false}
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
      onClick={open}
      onKeyDown={openWithArrow}
    />
  );
}
