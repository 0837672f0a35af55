import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type GenerationView, hasEnded } from '#contract';
import { tabText } from '#web/features/studio/progress-text.ts';
import { useUploadProgress } from '#web/features/studio/submission.tsx';
import { cachedGenerations, pendingGenerations } from '#web/lib/live/cache.ts';
import { setTitleStatus } from '#web/lib/page.ts';
import { type RequestEnd, requestEnd } from '#web/lib/request-end.ts';

/** Shows in the tab's title how far an image is, and that it is ready until the seller looks at the tab. */
export function useTabTitle(): void {
  const client = useQueryClient();
  const uploadProgress = useUploadProgress();
  const unseenEnd = useUnseenEnd();
  const text = useSyncExternalStore(
    (onChange) => client.getQueryCache().subscribe(onChange),
    () => tabText({ uploadProgress, unseenEnd, takes: pendingTakes(client) }),
  );
  useEffect(() => setTitleStatus(text), [text]);
  useEffect(() => () => setTitleStatus(null), []);
}

/** The takes of the newest request that has not ended; empty for none. */
function pendingTakes(client: QueryClient): GenerationView[] {
  const [newest] = pendingGenerations(client);
  return cachedGenerations(client).filter(({ set }) => set.id === newest?.set.id);
}

/** How the last request ended that ended while the window was hidden; null once it was looked at. */
function useUnseenEnd(): RequestEnd | null {
  const client = useQueryClient();
  const pending = useRef(new Set<string>());
  const [end, setEnd] = useState<RequestEnd | null>(null);
  useEffect(() => {
    const check = () => {
      const cached = cachedGenerations(client);
      for (const { id, state, set } of cached) {
        if (!hasEnded(state)) pending.current.add(id);
        else if (pending.current.delete(id) && document.hidden) {
          const ended = requestEnd(cached.filter((take) => take.set.id === set.id));
          if (ended) setEnd(ended);
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
