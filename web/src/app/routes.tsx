import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { pages } from '#contract';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { NotFoundPage } from './not-found-page.tsx';

const LandingPage = lazy(async () => ({
  default: (await import('#web/features/landing/landing-page.tsx')).LandingPage,
}));
const SignInPage = lazy(async () => ({
  default: (await import('#web/features/account/sign-in-page.tsx')).SignInPage,
}));
const SignUpPage = lazy(async () => ({
  default: (await import('#web/features/account/sign-up-page.tsx')).SignUpPage,
}));
const VerifyEmailPage = lazy(async () => ({
  default: (await import('#web/features/account/verify-email-page.tsx')).VerifyEmailPage,
}));
const ForgotPasswordPage = lazy(async () => ({
  default: (await import('#web/features/account/forgot-password-page.tsx')).ForgotPasswordPage,
}));
const ResetPasswordPage = lazy(async () => ({
  default: (await import('#web/features/account/reset-password-page.tsx')).ResetPasswordPage,
}));
const UnlockPage = lazy(async () => ({
  default: (await import('#web/features/account/unlock-page.tsx')).UnlockPage,
}));
const ConfirmEmailPage = lazy(async () => ({
  default: (await import('#web/features/account/confirm-email-page.tsx')).ConfirmEmailPage,
}));
const UndoEmailPage = lazy(async () => ({
  default: (await import('#web/features/account/undo-email-page.tsx')).UndoEmailPage,
}));
const Protected = lazy(async () => ({ default: (await import('./protected.tsx')).Protected }));
const DashboardPage = lazy(async () => ({ default: (await import('./dashboard-page.tsx')).DashboardPage }));
const ProfilePage = lazy(async () => ({ default: (await import('./profile-page.tsx')).ProfilePage }));

/** Every route; a page's code is loaded when it is first opened. */
export function AppRoutes() {
  return (
    <Suspense fallback={<PageSpinner />}>
      <Routes>
        <Route path="/" element={<LandingPage />} />
        <Route path={pages.login} element={<SignInPage />} />
        <Route path="/signup" element={<SignUpPage />} />
        <Route path={pages.verifyEmail} element={<VerifyEmailPage />} />
        <Route path={pages.forgotPassword} element={<ForgotPasswordPage />} />
        <Route path={pages.resetPassword} element={<ResetPasswordPage />} />
        <Route path={pages.unlock} element={<UnlockPage />} />
        <Route path={pages.confirmEmail} element={<ConfirmEmailPage />} />
        <Route path={pages.undoEmail} element={<UndoEmailPage />} />
        <Route element={<Protected />}>
          <Route path={pages.dashboard} element={<DashboardPage />} />
          <Route path={pages.profile} element={<ProfilePage />} />
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </Suspense>
  );
}
