import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { type OperatorNow, type OperatorQueueAction, operatorPaths } from '#contract';
import { useOperatorNow } from '#web/lib/operator-now.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { OperatorHeading, ReasonDialog } from '#web/ui/operator.tsx';
import { JobFigures, QueueNotice } from '#web/ui/operator-state.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { steerQueue } from './api.ts';

interface QueueAction {
  name: string;
  /** What it does, for whoever is about to do it. */
  effect: string;
  done: string;
}

const actions: Readonly<Record<OperatorQueueAction, QueueAction>> = {
  pause: {
    name: 'Pause',
    effect: 'Workers finish the images that they make and take no more. Sellers can still submit.',
    done: 'The queue is paused.',
  },
  resume: { name: 'Resume', effect: 'Workers take jobs again.', done: 'The queue runs.' },
  drain: {
    name: 'Drain',
    effect:
      'Removes all jobs that wait. No image is lost: upkeep adds the jobs of all images that wait again within seconds.',
    done: 'The queue was drained.',
  },
  'retry-failed': {
    name: 'Run failed jobs again',
    effect: 'Puts all failed jobs back in line. Images that have ended stay as they are.',
    done: 'The failed jobs are back in line.',
  },
};

/** The queue: its numbers, and what an operator can do with it. */
export function QueuePage() {
  const client = useQueryClient();
  const { data, error, refetch } = useOperatorNow();
  const [asked, setAsked] = useState<OperatorQueueAction | null>(null);
  return (
    <>
      <OperatorHeading>Queue</OperatorHeading>
      {!data && !error && <ListSkeleton />}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {data && (
        <Section
          id="jobs"
          title="Jobs"
          trailing={
            <a href={operatorPaths.queueBoard} target="_blank" rel="noreferrer" className={textLinkClass}>
              Raw view
            </a>
          }
        >
          <QueueNotice {...data} />
          <JobFigures queue={data.queue} />
          <div className="mt-6 flex flex-wrap gap-2">
            {([data.queue?.paused ? 'resume' : 'pause', 'drain', 'retry-failed'] as const).map((action) => (
              <Button key={action} variant="secondary" onClick={() => setAsked(action)}>
                {actions[action].name}
              </Button>
            ))}
          </div>
        </Section>
      )}
      {asked && (
        <ReasonDialog
          title={actions[asked].name}
          description={actions[asked].effect}
          submitLabel={actions[asked].name}
          run={(reason) => steerQueue(asked, reason)}
          onDone={(queue) => {
            client.setQueryData<OperatorNow>(queryKeys.operatorNow, (now) => now && { ...now, queue });
            toast.success(actions[asked].done);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
