import type { OperatorQueueAction, OperatorQueueView } from '#contract';
import { type GenerationQueue, isQueueHeld } from './queue.ts';

/** How the queue is. Paused is the operator's wish; held is a pause because the provider refuses calls. */
export async function readQueue(queue: GenerationQueue): Promise<OperatorQueueView> {
  const [paused, held, counts] = await Promise.all([
    queue.isPaused(),
    isQueueHeld(queue),
    queue.getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed'),
  ]);
  const { wait = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
  return { paused, held, waiting: wait + prioritized, running: active, delayed, failed };
}

/**
 * Pauses or resumes the queue for all workers, empties it, or runs failed jobs again. All of it is idempotent and loses no
 * work: the rows in MongoDB decide, and upkeep adds the jobs of all rows that wait.
 */
export async function steerQueue(queue: GenerationQueue, action: OperatorQueueAction): Promise<void> {
  switch (action) {
    case 'pause':
      return queue.pause();
    case 'resume':
      return queue.resume();
    case 'drain':
      return queue.drain(true);
    case 'retry-failed':
      return queue.retryJobs({ state: 'failed' });
  }
}
