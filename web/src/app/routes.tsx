import type { ReactNode } from 'react';
import { matchPath, Route, Routes } from 'react-router-dom';
import { pages } from '#contract';
import { PageSkeleton } from '#web/ui/skeleton.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { contentPages } from './content-pages.tsx';
import { createPageCode, LazyPage, type PageCode } from './lazy-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { StudioSkeleton } from './studio-skeleton.tsx';

const publicPages: Record<string, PageCode> = {
  '/': createPageCode(async () => (await import('#web/features/landing/landing-page.tsx')).LandingPage),
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
    async () => (await import('#web/features/account/reset-password-page.tsx')).ResetPasswordPage,
  ),
  [pages.unlock]: createPageCode(
    async () => (await import('#web/features/account/unlock-page.tsx')).UnlockPage,
  ),
  [pages.confirmEmail]: createPageCode(
    async () => (await import('#web/features/account/confirm-email-page.tsx')).ConfirmEmailPage,
  ),
  [pages.undoEmail]: createPageCode(
    async () => (await import('#web/features/account/undo-email-page.tsx')).UndoEmailPage,
  ),
  [pages.goodbye]: createPageCode(
    async () => (await import('#web/features/account/goodbye-page.tsx')).GoodbyePage,
  ),
  [pages.contact]: createPageCode(
    async () => (await import('#web/features/contact/contact-page.tsx')).ContactPage,
  ),
  '/careers': createPageCode(
    async () => (await import('#web/features/careers/careers-page.tsx')).CareersPage,
  ),
  ...contentPages,
};

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
  [pages.data]: profilePage,
};
const protectedPages = { ...studioPages, ...profilePages };

/** Every route; a page's code is loaded when it is first opened. */
export function AppRoutes() {
  return (
    <Routes>
      {routesOf(publicPages, <PageSpinner />)}
      <Route element={<LazyPage code={protectedLayout} loading={<PageSpinner />} />}>
        {routesOf(studioPages, <StudioSkeleton />)}
        {routesOf(profilePages, <PageSkeleton />)}
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}

/** Paths of the pages that nobody needs to sign in for, and of the others. */
export const routePaths = {
  public: Object.keys(publicPages),
  protected: Object.keys(protectedPages),
};

/**
 * Loads the code of the page at a path: a page inside `Protected` is not rendered before the account is known.
 * @throws the error of the import
 */
export async function loadPage(pathname: string): Promise<void> {
  const find = (pages: Record<string, PageCode>) =>
    Object.entries(pages).find(([path]) => matchPath(path, pathname))?.[1];
  const page = find(protectedPages);
  await Promise.all([page && protectedLayout.load(), (page ?? find(publicPages))?.load()]);
}

const routesOf = (pages: Record<string, PageCode>, loading: ReactNode) =>
  Object.entries(pages).map(([path, code]) => (
    <Route key={path} path={path} element={<LazyPage key={path} code={code} loading={loading} />} />
  ));
