import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { hasEnded } from '#contract';
import { History } from '#web/features/history/history.tsx';
import { planGateOf } from '#web/features/plan/plan-gate.ts';
import { PlanGateNotice } from '#web/features/plan/plan-gate-notice.tsx';
import { PlanMeter } from '#web/features/plan/plan-meter.tsx';
import { Studio } from '#web/features/studio/studio.tsx';
import { ApiError } from '#web/lib/api.ts';
import { useGeneration, useGenerations } from '#web/lib/generations/queries.ts';
import { usePage } from '#web/lib/page.ts';
import { LocalRendererBadge } from './local-renderer-badge.tsx';
import { useSignedIn } from './protected.tsx';

/** The dashboard. Which generation is shown is in the address, so that a reload shows the same. */
export function DashboardPage() {
  const heading = usePage('Studio');
  const { user, subscription, settings, imageProvider } = useSignedIn();
  const [query, setQuery] = useSearchParams();
  const shownId = query.get('generation');
  const shown = useGeneration(shownId);
  const { data: list } = useGenerations();

  const show = (id: string | null) => setQuery(id === null ? {} : { generation: id }, { replace: true });

  // Who comes back while something is pending sees it; once only, so that Clear stays clear.
  const looked = useRef(false);
  useEffect(() => {
    if (list === undefined || looked.current) return;
    looked.current = true;
    const newest = list.pages[0]?.generations[0];
    if (shownId === null && newest && !hasEnded(newest.state)) {
      setQuery({ generation: newest.id }, { replace: true });
    }
  }, [list, shownId, setQuery]);

  // An address of something that is not there, or not this seller's: as if nothing was asked for.
  const missing = shown.error instanceof ApiError && shown.error.code === 'NOT_FOUND';
  useEffect(() => {
    if (missing) setQuery({}, { replace: true });
  }, [missing, setQuery]);

  const stopOf = (refused: string | null) => {
    const stop = planGateOf(subscription, refused);
    return stop && <PlanGateNotice stop={stop} subscription={subscription} />;
  };

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="sr-only">
        Studio
      </h1>
      <Studio
        view={shownId === null || missing ? null : shown.data}
        onShow={show}
        draftOf={settings.autoSave ? user.id : null}
        plan={<PlanMeter subscription={subscription} />}
        stopOf={stopOf}
        badge={imageProvider === 'local' && <LocalRendererBadge className="mx-auto mt-4 w-fit md:hidden" />}
        history={(onShow) => <History currentId={shownId} onShow={onShow} />}
      />
    </>
  );
}
