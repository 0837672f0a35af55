import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { PageSpinner } from '../ui/spinner.tsx';
import { NotFoundPage } from './not-found-page.tsx';

const LandingPage = lazy(async () => ({
  default: (await import('../features/landing/landing-page.tsx')).LandingPage,
}));
const LoginPage = lazy(async () => ({
  default: (await import('../features/account/login-page.tsx')).LoginPage,
}));
const SignupPage = lazy(async () => ({
  default: (await import('../features/account/signup-page.tsx')).SignupPage,
}));
const Protected = lazy(async () => ({ default: (await import('./protected.tsx')).Protected }));
const DashboardPage = lazy(async () => ({ default: (await import('./dashboard-page.tsx')).DashboardPage }));
const ProfilePage = lazy(async () => ({ default: (await import('./profile-page.tsx')).ProfilePage }));

/** Every route; each page is loaded when it is first come to. */
export function AppRoutes() {
  return (
    <Suspense fallback={<PageSpinner />}>
      <Routes>
        <Route path="/" element={<LandingPage />} />
        <Route path="/login" element={<LoginPage />} />
        <Route path="/signup" element={<SignupPage />} />
        <Route element={<Protected />}>
          <Route path="/dashboard" element={<DashboardPage />} />
          <Route path="/profile" element={<ProfilePage />} />
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </Suspense>
  );
}
