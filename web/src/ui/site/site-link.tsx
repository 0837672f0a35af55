import { type ComponentProps, createContext, type MouseEvent, useContext } from 'react';

/**
 * How a link of the public pages opens another page without loading the document again; null where there is no router, as on
 * public pages that were opened directly.
 */
const NavigationContext = createContext<((to: string) => void) | null>(null);

/** Makes the links inside open pages with the app's router, so that an upload continues. */
export const SiteNavigation = NavigationContext.Provider;

/** A link of a public page to another page of ours. @param to path, with `?…` and `#…` */
export function SiteLink({ to, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { to: string }) {
  const navigate = useContext(NavigationContext);
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    rest.onClick?.(event);
    const { href, target, pathname } = event.currentTarget;
    const isPlainClick =
      event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    // A place on the same page is left to the browser, which scrolls to it.
    const isSamePage = pathname === location.pathname && href.includes('#');
    if (!navigate || !isPlainClick || target !== '' || isSamePage || event.defaultPrevented) return;
    event.preventDefault();
    navigate(to);
  };
  return <a {...rest} href={to} onClick={open} />;
}
