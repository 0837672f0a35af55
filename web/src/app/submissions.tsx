import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { pages } from '#contract';
import { SubmissionProvider } from '#web/features/studio/submission.tsx';
import { messageOf } from '#web/lib/api.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { shownQuery } from './shown-query.ts';

/** Keeps uploads running while the page changes; outside the studio, a toast shows how an upload ended. */
export function Submissions({ children }: { children?: ReactNode }) {
  const navigate = useNavigate();
  return (
    <SubmissionProvider
      listener={{
        onAccepted: (view) =>
          toast('Your photos are uploaded. Your image is on its way.', {
            // Time to read it and to press its button.
            duration: 10_000,
            action: {
              label: 'Show',
              onClick: () => navigate(`${pages.dashboard}?${new URLSearchParams(shownQuery(view))}`),
            },
          }),
        onFailed: (error) => toastError(messageOf(error)),
      }}
    >
      {children}
    </SubmissionProvider>
  );
}
