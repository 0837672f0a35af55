/** The live progress of a generation, for a person at a terminal or a log. */
import type { GenerationView } from '#contract';

/** What a generation is at, in a few words; only what is known, so there is no percentage. */
export function describe({ state, position, progress, failure }: GenerationView): string {
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
}: NonNullable<GenerationView['progress']>): string {
  const again = attempt > 1 ? ` (try ${attempt})` : '';
  switch (stage) {
    case 'sending':
      return `sending the photos${again}`;
    case 'drawing':
      return `drawing${previews > 0 ? `, preview ${previews} of ${previewsExpected}` : ''}${again}`;
    case 'waiting':
      if (waitingFor === 'storage') return 'made, saving it takes longer than usual';
      if (waitingFor === 'retry') return `try ${attempt} failed, retrying soon`;
      return waitingFor === 'provider' ? 'the image service is busy, still in line' : 'still in line';
  }
}

export interface ProgressDisplay {
  show(view: GenerationView): void;
  /** Leaves the last line as it is and shows no more. */
  end(): void;
}

/** Where lines go: a terminal is written over, anything else gets a line a change. */
export interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Shows each stage with the seconds since the start. In a terminal the line under way counts on.
 * @param now the clock, in ms
 */
export function startProgress(output: Output, now: () => number = () => performance.now()): ProgressDisplay {
  const began = now();
  let shown: string | undefined;
  const line = (text: string) => `  ${((now() - began) / 1_000).toFixed(1).padStart(6)} s  ${text}`;
  const rewrite = () => {
    if (shown !== undefined) output.write(`\r\u001b[K${line(shown)}`);
  };
  const ticking = output.isTTY === true ? setInterval(rewrite, 100) : undefined;
  ticking?.unref();
  return {
    show(view) {
      const text = describe(view);
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
      clearInterval(ticking);
      if (output.isTTY === true && shown !== undefined) output.write('\n');
      shown = undefined;
    },
  };
}
