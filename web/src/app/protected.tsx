import { Suspense } from 'react';
import { Navigate, Outlet, useLocation, useOutletContext } from 'react-router-dom';
import type { Me } from '#contract';
import type { LoginState } from '#web/features/account/login-page.tsx';
import { messageOf } from '#web/lib/api.ts';
import { lastSessionEnd, useMe } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { Shell } from './shell.tsx';

/** Lets signed-in sellers through; others go to the sign-in page, which leads back here. */
export function Protected() {
  const { pathname, search, hash } = useLocation();
  const { data: me, error, refetch } = useMe();
  if (me) {
    return (
      <Shell key={me.user.id} me={me}>
        <Suspense fallback={<PageSpinner />}>
          <Outlet context={me} />
        </Suspense>
      </Shell>
    );
  }
  if (me === null) {
    const end = lastSessionEnd();
    // Who signed out on purpose starts afresh; who did not comes back to where they were.
    const onPurpose = end === 'left' || end === 'deleted';
    const state: LoginState = onPurpose ? { end } : { from: pathname + search + hash, ...(end && { end }) };
    return <Navigate to="/login" replace state={state} />;
  }
  if (!error) return <PageSpinner />;
  return (
    <main className="grid min-h-[60dvh] place-items-center p-6">
      <div className="grid max-w-sm justify-items-center gap-4 text-center">
        <h1 className="text-xl font-semibold">Your account could not be opened</h1>
        <Notice tone="danger">{messageOf(error)}</Notice>
        <Button onClick={() => refetch()}>Try again</Button>
      </div>
    </main>
  );
}

/** The signed-in account, on a protected page. */
export function useSignedIn(): Me {
  return useOutletContext<Me>();
}
