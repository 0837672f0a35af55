import type { ReactNode } from 'react';
import { BrowserRouter, useNavigate } from 'react-router-dom';
import { SiteNavigation } from '#web/ui/site/site-link.tsx';
import { AppRoutes } from './routes.tsx';

export { loadPage } from './routes.tsx';

/** All pages, with the router. */
export function RoutedPages() {
  return (
    // Without transitions, URL and cache change in the same render: no outdated page flashes in between.
    <BrowserRouter useTransitions={false}>
      <RoutedLinks>
        <AppRoutes />
      </RoutedLinks>
    </BrowserRouter>
  );
}

/** Lets the links of public pages use the router. */
export function RoutedLinks({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  return <SiteNavigation value={navigate}>{children}</SiteNavigation>;
}
