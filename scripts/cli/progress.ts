/** Shows the progress of a request in a terminal or a log. */
import type { Generation } from './client.ts';

/** What is shown of an image. */
type Shown = Pick<Generation, 'state' | 'position' | 'progress' | 'failure'>;

/**
 * Describes the current stage of the takes of a request. There is no percentage, since the provider reports none.
 * @param takes in the order of their index
 */
export function describe(takes: readonly Shown[]): string {
  if (takes.length === 1) return describeTake(takes[0]!);
  return takes.map((take, index) => `${index + 1}: ${describeTake(take)}`).join(' · ');
}

function describeTake({ state, position, progress, failure }: Shown): string {
  switch (state) {
    case 'queued':
      return position === null ? 'waiting in the queue' : `number ${position} in the queue`;
    case 'running':
      return progress === null ? 'starting' : describeStage(progress);
    case 'succeeded':
      return 'the image is ready';
    case 'failed':
      return `failed: ${failure?.message ?? 'for an unknown reason'}`;
    case 'cancelled':
      return 'cancelled';
  }
}

function describeStage({
  stage,
  waitingFor,
  attempt,
  previews,
  previewsExpected,
}: NonNullable<Generation['progress']>): string {
  const again = attempt > 1 ? ` (try ${attempt})` : '';
  switch (stage) {
    case 'sending':
      return `sending the photos${again}`;
    case 'drawing':
      return `drawing${previews > 0 ? `, preview ${previews} of ${previewsExpected}` : ''}${again}`;
    case 'waiting':
      if (waitingFor === 'storage') return 'made, saving it takes longer than usual';
      if (waitingFor === 'retry') return `try ${attempt} failed, retrying soon`;
      return waitingFor === 'provider' ? 'the image provider is busy, still in line' : 'still in line';
  }
}

export interface ProgressDisplay {
  /** @param takes of one request, as they are now */
  show(takes: readonly Shown[]): void;
  /** Ends the display and keeps its last line. */
  end(): void;
}

/** A terminal, whose current line is rewritten, or a log, which gets a line for each change. */
export interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Shows each stage with the seconds since the start. In a terminal the current line keeps counting.
 * @param now the clock, in ms
 */
export function startProgress(output: Output, now: () => number = () => performance.now()): ProgressDisplay {
  const began = now();
  let shown: string | undefined;
  const line = (text: string) => `  ${((now() - began) / 1_000).toFixed(1).padStart(6)} s  ${text}`;
  const rewrite = () => {
    if (shown !== undefined) output.write(`\r\u001b[K${line(shown)}`);
  };
  const timer = output.isTTY === true ? setInterval(rewrite, 100) : undefined;
  timer?.unref();
  return {
    show(takes) {
      const text = describe(takes);
      if (text === shown) return;
      if (output.isTTY === true) {
        if (shown !== undefined) output.write(`\r\u001b[K${line(shown)}\n`);
        shown = text;
        rewrite();
      } else {
        shown = text;
        output.write(`${line(text)}\n`);
      }
    },
    end() {
      clearInterval(timer);
      if (output.isTTY === true && shown !== undefined) output.write('\n');
      shown = undefined;
    },
  };
}
