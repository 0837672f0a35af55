import { type ReactNode, useState } from 'react';
import { matchPath, Route, Routes, useLocation } from 'react-router-dom';
import { pages } from '#contract';
import { PageSkeleton } from '#web/ui/skeleton.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { createPageCode, LazyPage, type PageCode } from './lazy-page.tsx';
import { sitePages } from './site-routes.tsx';
import { StudioSkeleton } from './studio-skeleton.tsx';

/** Pages that call the API for anybody. */
const publicPages: Record<string, PageCode> = {
  [pages.login]: createPageCode(
    async () => (await import('#web/features/account/sign-in-page.tsx')).SignInPage,
  ),
  '/signup': createPageCode(async () => (await import('#web/features/account/sign-up-page.tsx')).SignUpPage),
  [pages.verifyEmail]: createPageCode(
    async () => (await import('#web/features/account/verify-email-page.tsx')).VerifyEmailPage,
  ),
  [pages.forgotPassword]: createPageCode(
    async () => (await import('#web/features/account/forgot-password-page.tsx')).ForgotPasswordPage,
  ),
  [pages.resetPassword]: createPageCode(
    async () => (await import('#web/features/account/link-password-pages.tsx')).ResetPasswordPage,
  ),
  [pages.unlock]: createPageCode(
    async () => (await import('#web/features/account/link-action-pages.tsx')).UnlockPage,
  ),
  [pages.keepTwoFactor]: createPageCode(
    async () => (await import('#web/features/account/link-action-pages.tsx')).KeepTwoFactorPage,
  ),
  [pages.confirmEmail]: createPageCode(
    async () => (await import('#web/features/account/confirm-email-page.tsx')).ConfirmEmailPage,
  ),
  [pages.undoEmail]: createPageCode(
    async () => (await import('#web/features/account/link-password-pages.tsx')).UndoEmailPage,
  ),
  [pages.confirmReachable]: createPageCode(
    async () => (await import('#web/features/account/link-action-pages.tsx')).ConfirmReachablePage,
  ),
  [pages.unsubscribe]: createPageCode(
    async () => (await import('#web/features/account/link-action-pages.tsx')).UnsubscribePage,
  ),
  [pages.goodbye]: createPageCode(
    async () => (await import('#web/features/account/goodbye-page.tsx')).GoodbyePage,
  ),
  [pages.contact]: createPageCode(
    async () => (await import('#web/features/contact/contact-page.tsx')).ContactPage,
  ),
  '/documentation/reference': createPageCode(
    async () => (await import('#web/features/reference/reference-page.tsx')).ReferencePage,
  ),
  '/careers': createPageCode(
    async () => (await import('#web/features/careers/careers-page.tsx')).CareersPage,
  ),
};

const notFoundPage = createPageCode(async () => (await import('./not-found-page.tsx')).NotFoundPage);

const protectedLayout = createPageCode(async () => (await import('./protected.tsx')).Protected);

/** One piece of code for all its sub-pages: going from one to the next loads nothing but data. */
const profilePage = createPageCode(async () => (await import('./profile-page.tsx')).ProfilePage);

const studioPages: Record<string, PageCode> = {
  [pages.dashboard]: createPageCode(async () => (await import('./dashboard-page.tsx')).DashboardPage),
};
const profilePages: Record<string, PageCode> = {
  [pages.profile]: profilePage,
  [pages.plan]: profilePage,
  [pages.usage]: profilePage,
  [pages.preferences]: profilePage,
  [pages.security]: profilePage,
  [pages.apiKeys]: profilePage,
  [pages.data]: profilePage,
};
const projectPages: Record<string, PageCode> = {
  [pages.projects]: createPageCode(async () => (await import('./projects-page.tsx')).ProjectsPage),
  [`${pages.projects}/:id`]: createPageCode(async () => (await import('./project-page.tsx')).ProjectPage),
};
const libraryPages: Record<string, PageCode> = {
  [`${pages.library}/:view?`]: createPageCode(async () => (await import('./library-pages.tsx')).LibraryPages),
};
const batchPages: Record<string, PageCode> = {
  [`${pages.batches}/:id?`]: createPageCode(async () => (await import('./batch-pages.tsx')).BatchPages),
};
/** One piece of code that chooses the page. */
const operatorPage = createPageCode(async () => (await import('./operator-pages.tsx')).OperatorPages);
const operatorPages: Record<string, PageCode> = {
  [`${pages.operator}/:page?`]: operatorPage,
  [`${pages.operator}/:page/:id`]: operatorPage,
};
const protectedPages = {
  ...studioPages,
  ...profilePages,
  ...projectPages,
  ...libraryPages,
  ...batchPages,
  ...operatorPages,
};

/** What is around the pages, from the outside, and where it is needed first. Whoever only reads does not load it. */
const layers: readonly { code: PageCode; isNeeded: (pathname: string) => boolean }[] = [
  {
    code: createPageCode(async () => (await import('./api-client.tsx')).ApiClient),
    isNeeded: (pathname) => [publicPages, protectedPages].some((pages) => findPage(pages, pathname)),
  },
  {
    code: createPageCode(async () => {
      const [{ Submissions }] = await Promise.all([import('./submissions.tsx'), protectedLayout.load()]);
      return Submissions;
    }),
    isNeeded: (pathname) => findPage(protectedPages, pathname) !== undefined,
  },
];

const layersNeeded = (pathname: string) => layers.filter(({ isNeeded }) => isNeeded(pathname)).length;

/**
 * Every route; a page's code is loaded when it is first opened. A layer stays from the first page on that needs it, so that
 * uploads and the cache survive a change of page.
 */
export function AppRoutes() {
  const { pathname } = useLocation();
  const needed = layersNeeded(pathname);
  const [count, setCount] = useState(needed);
  if (needed > count) setCount(needed);
  let content: ReactNode = (
    <Routes>
      {routesOf({ ...sitePages, ...publicPages }, <PageSpinner />)}
      <Route element={<LazyPage code={protectedLayout} loading={<PageSpinner />} />}>
        {routesOf(studioPages, <StudioSkeleton />)}
        {routesOf(
          { ...profilePages, ...projectPages, ...libraryPages, ...batchPages, ...operatorPages },
          <PageSkeleton />,
        )}
      </Route>
      <Route path="*" element={<LazyPage code={notFoundPage} loading={<PageSpinner />} />} />
    </Routes>
  );
  for (const { code } of layers.slice(0, count).reverse()) {
    content = (
      <LazyPage code={code} loading={<PageSpinner />}>
        {content}
      </LazyPage>
    );
  }
  return content;
}

/** Paths of the pages that nobody needs to sign in for, and of the others. */
export const routePaths = {
  public: Object.keys({ ...sitePages, ...publicPages }),
  protected: Object.keys(protectedPages),
};

/**
 * Loads the code of the page at a path: a page inside `Protected` is not rendered before the account is known.
 * @throws the error of the import
 */
export async function loadPage(pathname: string): Promise<void> {
  const page = findPage({ ...sitePages, ...publicPages, ...protectedPages }, pathname) ?? notFoundPage;
  const around = layers.slice(0, layersNeeded(pathname)).map(({ code }) => code.load());
  await Promise.all([...around, page.load()]);
}

const findPage = (pages: Record<string, PageCode>, pathname: string) =>
  Object.entries(pages).find(([path]) => matchPath(path, pathname))?.[1];

const routesOf = (pages: Record<string, PageCode>, loading: ReactNode) =>
  Object.entries(pages).map(([path, code]) => (
    <Route key={path} path={path} element={<LazyPage key={path} code={code} loading={loading} />} />
  ));
