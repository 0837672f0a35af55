import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { pages } from '#contract';
import { SubmissionProvider } from '#web/features/studio/submission.tsx';
import { messageOf } from '#web/lib/api.ts';

/** Keeps what is being sent above all pages; who is on another one by its end reads so, and stays there. */
export function Submissions({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  return (
    <SubmissionProvider
      elsewhere={{
        accepted: (view) =>
          toast('Your photos are uploaded. Your image is on its way.', {
            action: { label: 'Show', onClick: () => navigate(`${pages.dashboard}?generation=${view.id}`) },
          }),
        refused: (failure) => toast.error(messageOf(failure)),
      }}
    >
      {children}
    </SubmissionProvider>
  );
}
