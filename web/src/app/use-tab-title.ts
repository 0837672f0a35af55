import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { hasEnded } from '#contract';
import { useUploadProgress } from '#web/features/studio/submission.tsx';
import { tabText } from '#web/features/studio/tab-text.ts';
import { cachedGenerations, pendingGenerations } from '#web/lib/live/cache.ts';
import { setTitleStatus } from '#web/lib/page.ts';

/** Shows in the tab's title how far an image is, and that it is ready until the seller looks at the tab. */
export function useTabTitle(): void {
  const client = useQueryClient();
  const uploadProgress = useUploadProgress();
  const unseenEnd = useUnseenEnd();
  const text = useSyncExternalStore(
    (onChange) => client.getQueryCache().subscribe(onChange),
    () => tabText({ uploadProgress, unseenEnd, pending: pendingGenerations(client)[0] }),
  );
  useEffect(() => setTitleStatus(text), [text]);
  useEffect(() => () => setTitleStatus(null), []);
}

/** How the last generation ended that ended while the window was hidden; null once it was looked at. */
function useUnseenEnd(): 'succeeded' | 'failed' | null {
  const client = useQueryClient();
  const pending = useRef(new Set<string>());
  const [end, setEnd] = useState<'succeeded' | 'failed' | null>(null);
  useEffect(() => {
    const check = () => {
      for (const { id, state } of cachedGenerations(client)) {
        if (!hasEnded(state)) pending.current.add(id);
        else if (pending.current.delete(id) && document.hidden && state !== 'cancelled') {
          setEnd(state === 'succeeded' ? 'succeeded' : 'failed');
        }
      }
    };
    check();
    return client.getQueryCache().subscribe(check);
  }, [client]);
  useEffect(() => {
    const onVisibilityChange = () => {
      if (!document.hidden) setEnd(null);
    };
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => document.removeEventListener('visibilitychange', onVisibilityChange);
  }, []);
  return end;
}
