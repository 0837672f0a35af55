import '#web/ui/base.css';
import { useEffect, useInsertionEffect, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { type FieldEntry, fillField, readFieldEntries } from '#web/lib/field-entries.ts';
import { loadPart, takeKeptFields } from '#web/lib/full-load.ts';
import { initTheme } from '#web/lib/theme.ts';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { App } from './app.tsx';
import { createPageCode, LazyPage } from './lazy-page.tsx';
import { sitePages } from './site-routes.tsx';
import { followTranslations } from './translated-texts.ts';

initTheme();
followTranslations();
const root = document.querySelector<HTMLElement>('#root');
if (root === null) throw new Error('index.html has no element with the id "root".');
const earlyInput = createEarlyInput(root);
enterKeptFields().catch(() => {});

const sitePage = sitePages[location.pathname];
const routedPages = createPageCode(async () => (await import('./routed-pages.tsx')).RoutedPages);

// Rendering reports an error of an import.
const codeLoaded = loadCode().catch(() => {});
// A prerendered page stays until its code is there.
if (root.hasChildNodes()) await codeLoaded;
earlyInput.remember();
if (isAsPrerendered(root)) {
  hydrateRoot(root, <BrowserApp isHydration />);
} else {
  flushSync(() => createRoot(root).render(<BrowserApp />));
}

async function loadCode(): Promise<void> {
  if (sitePage) {
    await sitePage.load();
    return;
  }
  const { loadPage } = await loadPart(() => import('./routed-pages.tsx'));
  await Promise.all([routedPages.load(), loadPage(location.pathname)]);
}

/** Enters what was in the fields before a full load. */
async function enterKeptFields(): Promise<void> {
  const kept = takeKeptFields();
  if (kept !== null) (await import('#web/lib/kept-fields.ts')).enterKeptFields(kept);
}

function BrowserApp({ isHydration = false }: { isHydration?: boolean }) {
  // Insertion effects are the last to run before forms set their fields.
  useInsertionEffect(() => {
    if (isHydration) earlyInput.remember();
  }, [isHydration]);
  useLayoutEffect(earlyInput.enter, []);
  useEffect(earlyInput.submit, []);
  return (
    <App>
      <LazyPage code={sitePage ?? routedPages} loading={<PageSpinner />} />
    </App>
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

declare global {
  /** Set by public/prepare.js, which holds back forms until the app can send them. */
  var earlySubmit: { form: string | null; hold: boolean };
}

/**
 * What a visitor, or a password manager, enters in a prerendered page before the app runs. The app begins with empty
 * fields, so it is remembered right before the app's first render and entered again right after. Remembering again adds what
 * was entered since: where something else has added elements to the page, React replaces it all, with its fields.
 */
function createEarlyInput(root: HTMLElement) {
  const inputs = new Map<string, FieldEntry>();
  return {
    remember(): void {
      for (const input of readFieldEntries(root)) inputs.set(input.selector, input);
    },
    /** Enters what was remembered, as if typed. */
    enter(): void {
      for (const input of inputs.values()) fillField(root, input);
      inputs.clear();
    },
    /** Sends a form that was sent before the app ran. From now on, the app sends forms itself. */
    submit(): void {
      const { form } = earlySubmit;
      earlySubmit = { form: null, hold: false };
      if (form !== null) root.querySelector<HTMLFormElement>(form)?.requestSubmit();
    },
  };
}
