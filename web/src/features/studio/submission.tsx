import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import { useMe } from '#web/lib/session.ts';
import { type SubmissionListener, useSubmissionState } from './use-submission.ts';

interface Submission extends Omit<ReturnType<typeof useSubmissionState>, 'discard'> {
  /** Replaces the provider's listener until the returned function is called. */
  listen: (listener: SubmissionListener) => () => void;
}

const SubmissionContext = createContext<Submission | null>(null);

interface SubmissionProviderProps {
  /** Called while the studio is not open. */
  listener: SubmissionListener;
  children: ReactNode;
}

/** Keeps the submission while the page changes. */
export function SubmissionProvider({ listener, children }: SubmissionProviderProps) {
  const studioListener = useRef<SubmissionListener>(null);
  const { discard, ...submission } = useSubmissionState({
    onAccepted: (view, form) => (studioListener.current ?? listener).onAccepted(view, form),
    onFailed: (error) => (studioListener.current ?? listener).onFailed(error),
  });

  // Only reads the cache: pages that need the account fetch it.
  const sellerId = useMe({ enabled: false }).data?.user.id;
  const discardSubmission = useEffectEvent(discard);
  useEffect(() => {
    if (sellerId !== undefined) return () => discardSubmission();
  }, [sellerId]);

  const listen = (next: SubmissionListener) => {
    studioListener.current = next;
    return () => {
      if (studioListener.current === next) studioListener.current = null;
    };
  };
  return <SubmissionContext value={{ ...submission, listen }}>{children}</SubmissionContext>;
}

/** The fraction of a form that was sent, 0 to 1; null while nothing is being sent. */
export function useUploadProgress(): number | null {
  return useContext(SubmissionContext)?.uploadProgress ?? null;
}

/**
 * The submission, for the studio.
 * @param listener called instead of the provider's while the studio is open
 */
export function useSubmission(listener: SubmissionListener): Omit<Submission, 'listen'> {
  const submission = useContext(SubmissionContext);
  if (submission === null) throw new Error('The studio needs a SubmissionProvider above it.');
  const onAccepted = useEffectEvent(listener.onAccepted);
  const onFailed = useEffectEvent(listener.onFailed);
  const listen = useEffectEvent(submission.listen);
  // A layout effect, because its cleanup runs in the commit that removes the studio: no event reaches it after that.
  useLayoutEffect(
    () =>
      listen({
        onAccepted: (view, form) => onAccepted(view, form),
        onFailed: (error) => onFailed(error),
      }),
    [],
  );
  return submission;
}
