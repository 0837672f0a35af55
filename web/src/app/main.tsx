import '#web/ui/base.css';
import { useEffect, useInsertionEffect, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { initTheme } from '#web/lib/theme.ts';
import { App } from './app.tsx';
import { createEarlyInput } from './early-input.ts';
import { loadPage } from './routes.tsx';

initTheme();
const root = document.querySelector<HTMLElement>('#root');
if (root === null) throw new Error('index.html has no element with the id "root".');
const earlyInput = createEarlyInput(root);

// Rendering the page reports an error of its import.
const pageLoaded = loadPage(location.pathname).catch(() => {});
// A prerendered page stays until its code is there.
if (root.hasChildNodes()) await pageLoaded;
if (isAsPrerendered(root)) {
  hydrateRoot(root, <BrowserApp isHydration />);
} else {
  earlyInput.remember();
  flushSync(() => createRoot(root).render(<BrowserApp />));
}

function BrowserApp({ isHydration = false }: { isHydration?: boolean }) {
  // Insertion effects are the last to run before forms set their fields.
  useInsertionEffect(() => {
    if (isHydration) earlyInput.remember();
  }, [isHydration]);
  useLayoutEffect(earlyInput.enter, []);
  useEffect(earlyInput.submit, []);
  return (
    <App
      // Without transitions, URL and cache change in the same render: no outdated page flashes in between.
      renderRouter={(content) => <BrowserRouter useTransitions={false}>{content}</BrowserRouter>}
    />
  );
}

/** Whether the app renders what the build has rendered: a query, or what another page passed along, may change it. */
function isAsPrerendered({ dataset }: HTMLElement): boolean {
  return (
    (dataset.path === location.pathname || dataset.path === '*') &&
    location.search === '' &&
    history.state?.usr == null
  );
}
