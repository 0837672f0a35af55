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

interface Submission extends Omit<ReturnType<typeof useSubmissionState>, 'abandon'> {
  /** Says who is told of the ends from now on, until the returned function is called. */
  listen: (listener: SubmissionListener) => () => void;
}

const SubmissionContext = createContext<Submission | null>(null);

/**
 * Keeps what a seller sends while they go from page to page.
 * @param elsewhere told of the ends while the studio is not open
 */
export function SubmissionProvider({
  elsewhere,
  children,
}: {
  elsewhere: SubmissionListener;
  children: ReactNode;
}) {
  const studio = useRef<SubmissionListener>(null);
  const { abandon, ...submission } = useSubmissionState({
    accepted: (view, form) => (studio.current ?? elsewhere).accepted(view, form),
    refused: (failure) => (studio.current ?? elsewhere).refused(failure),
  });

  // Only looked at: whoever needs the account asks for it.
  const sellerId = useMe({ enabled: false }).data?.user.id;
  const leaveSeller = useEffectEvent(abandon);
  useEffect(() => {
    if (sellerId !== undefined) return () => leaveSeller();
  }, [sellerId]);

  const listen = (listener: SubmissionListener) => {
    studio.current = listener;
    return () => {
      if (studio.current === listener) studio.current = null;
    };
  };
  return <SubmissionContext value={{ ...submission, listen }}>{children}</SubmissionContext>;
}

/**
 * What is being sent, from the studio's place on a page.
 * @param listener told of the ends while that page is open
 */
export function useSubmission(listener: SubmissionListener): Omit<Submission, 'listen'> {
  const submission = useContext(SubmissionContext);
  if (submission === null) throw new Error('The studio needs a SubmissionProvider above it.');
  const accepted = useEffectEvent(listener.accepted);
  const refused = useEffectEvent(listener.refused);
  const listen = useEffectEvent(submission.listen);
  // A page that is left for one that has still to be loaded stays mounted, hidden: of the two kinds of effects only
  // these end with its sight.
  useLayoutEffect(
    () =>
      listen({
        accepted: (view, form) => accepted(view, form),
        refused: (failure) => refused(failure),
      }),
    [],
  );
  return submission;
}
