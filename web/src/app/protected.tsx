import { Navigate, Outlet, useLocation, useOutletContext } from 'react-router-dom';
import { type Me, pages } from '#contract';
import type { SignInState } from '#web/features/account/sign-in-state.ts';
import { messageOf } from '#web/lib/api.ts';
import { lastSessionEndReason, useMe } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { Shell } from './shell.tsx';
import { StudioPageSkeleton } from './studio-skeleton.tsx';

/** Shows its child routes to signed-in sellers; redirects others to the sign-in page, which returns here. */
export function Protected() {
  const { pathname, search, hash } = useLocation();
  const { data: me, error, refetch } = useMe();
  if (me) {
    return (
      <Shell key={me.user.id} me={me}>
        <Outlet context={me} />
      </Shell>
    );
  }
  if (me === null) {
    const sessionEnd = lastSessionEndReason();
    if (sessionEnd === 'account-deleted') {
      return <Navigate to={pages.goodbye} replace state={{ deleted: true }} />;
    }
    const state: SignInState = {
      ...(sessionEnd && { sessionEnd }),
      // Not after a deliberate sign-out: the next sign-in starts on the dashboard.
      ...(sessionEnd !== 'signed-out' && { from: pathname + search + hash }),
    };
    return <Navigate to={pages.login} replace state={state} />;
  }
  if (!error) return pathname === pages.dashboard ? <StudioPageSkeleton /> : <PageSpinner />;
  return (
    <main className="grid min-h-[60dvh] place-items-center p-6">
      <div className="grid max-w-sm justify-items-center gap-4 text-center">
        <h1 className="text-xl font-semibold">We couldn't load your account</h1>
        <Notice tone="danger">{messageOf(error)}</Notice>
        <Button onClick={() => refetch()}>Try again</Button>
      </div>
    </main>
  );
}

/** The signed-in account; only in protected pages. */
export function useSignedIn(): Me {
  return useOutletContext<Me>();
}
