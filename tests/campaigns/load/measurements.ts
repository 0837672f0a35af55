/** What a load test measures: times of events and replies, and the use of memory and processors over time. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { GenerationView } from '#contract';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { quantile } from '#tests/support/statistics.ts';
import { type ProcessSamples, sampleProcesses } from './samples.ts';
import type { LoadSeller } from './sellers.ts';
import type { OnState } from './window.ts';

export interface Measurements {
  onState: OnState;
  onEnded: (id: string) => void;
  /** Begins: from now on a line is printed every minute. */
  begin(): void;
  /** Submits as a seller. @param dueAt when it was due, by `performance.now()` */
  submission(dueAt: number, seller: LoadSeller, photo: Blob): Promise<void>;
  /** Resolves when windows have shown all these generations as ended, or when the time in ms is over. */
  allEnded(ids: readonly string[], boundMs: number): Promise<void>;
  print(): void;
  /** Submissions that were refused or not answered, and images that failed. */
  readonly failed: number;
}

/** How often memory is read, in ms. */
const memoryMs = 5_000;
const minuteMs = 60_000;

/** @param providerMs how long the provider takes for an image, which is no part of Packshot's time */
export function createMeasurements(stack: CampaignStack, providerMs: number): Measurements {
  /** Times in ms since the last line. */
  let minute: number[] = [];
  const times = { running: [] as number[], succeeded: [] as number[] };
  const replies: number[] = [];
  /** When each generation's submission was due, and when its window showed that it had ended, by `performance.now()`. */
  const due = new Map<string, number>();
  const ended = new Map<string, number>();
  const counts = { submitted: 0, failed: 0 };
  const peak = new Map<string, number>();
  const loop = monitorEventLoopDelay({ resolution: 10 });
  let samples: ProcessSamples;
  let cpuAtEnd = new Map<string, number>();
  let began = 0;
  let lines = 0;
  const timers: NodeJS.Timeout[] = [];
  let onEach: () => void = () => {};

  /** The window has the event this long after the worker wrote the time into the row. */
  function onState(view: GenerationView, receivedAt: number): void {
    const since = view.state === 'running' ? view.startedAt : view.endedAt;
    if (since === null) return;
    const took = receivedAt - Date.parse(since);
    minute.push(took);
    if (view.state === 'running' || view.state === 'succeeded') times[view.state].push(took);
    else fail(`generation ${view.id} ${view.state}`);
  }

  function fail(what: string): void {
    counts.failed += 1;
    console.log(what);
  }

  function readMemory(): void {
    for (const [name, bytes] of samples.memory()) peak.set(name, Math.max(peak.get(name) ?? 0, bytes));
  }

  function printMinute(): void {
    lines += 1;
    const memory = [...samples.memory().values()].map((bytes) => megabytes(bytes).padStart(11));
    console.log(
      `${String(lines).padStart(6)}  ${String(counts.submitted).padStart(9)}  ${String(ended.size).padStart(9)}  ${both(minute).padStart(19)}${memory.join('')}`,
    );
    minute = [];
  }

  return {
    onState,
    onEnded(id) {
      ended.set(id, performance.now());
      onEach();
    },
    begin() {
      samples = sampleProcesses(stack);
      began = performance.now();
      loop.enable();
      const names = stack.processes.map(({ name }) => name.padStart(11)).join('');
      console.log(`minute  submitted      ended     events p50, p99${names}`);
      readMemory();
      timers.push(setInterval(readMemory, memoryMs), setInterval(printMinute, minuteMs));
    },
    async submission(dueAt, seller, photo) {
      counts.submitted += 1;
      const index = seller.submissions.length;
      try {
        await seller.submit(photo);
        const { accepted, refused } = seller.submissions[index]!;
        if (refused !== undefined) throw new Error(refused);
        replies.push(performance.now() - dueAt);
        for (const id of accepted.flat()) due.set(id, dueAt);
      } catch (error) {
        fail(`a submission failed: ${error instanceof Error ? error.message : error}`);
      }
    },
    async allEnded(ids, boundMs) {
      await new Promise<void>((resolve) => {
        const bound = setTimeout(resolve, boundMs);
        onEach = () => {
          if (!ids.every((id) => ended.has(id))) return;
          clearTimeout(bound);
          resolve();
        };
        onEach();
      });
      cpuAtEnd = samples.cpu();
      loop.disable();
      readMemory();
      for (const timer of timers) clearInterval(timer);
    },
    print() {
      const seconds = (performance.now() - began) / 1_000;
      const line = (what: string, list: readonly number[]) =>
        console.log(`    ${what.padEnd(58)} p50, p99   ${both(list)}`);
      console.log(`${counts.submitted} submitted, ${ended.size} ended, in ${seconds.toFixed(0)} s`);
      line('event `running`, since the start was written into the row', times.running);
      line('event `succeeded`, since the end was written into the row', times.succeeded);
      line('answer to a submission, since it was due', replies);
      const wholes = [...due].flatMap(([id, dueAt]) => {
        const endedAt = ended.get(id);
        return endedAt === undefined ? [] : [endedAt - dueAt - providerMs];
      });
      line(`from due to \`succeeded\`, without the provider's ${providerMs / 1_000} s`, wholes);
      console.log(
        `    this process, which sends and receives all of it: its own event loop p99 ${(loop.percentile(99) / 1e6 - 10).toFixed(0)} ms`,
      );
      console.log('    process          memory at most    processor    of it for one generation');
      for (const [name, used] of cpuAtEnd) {
        console.log(
          `      ${name.padEnd(15)}${megabytes(peak.get(name) ?? 0).padStart(14)}${`${((used / 1_000 / seconds) * 100).toFixed(0)} %`.padStart(13)}${`${(used / ended.size).toFixed(1)} ms`.padStart(24)}`,
        );
      }
    },
    get failed() {
      return counts.failed;
    },
  };
}

const both = (list: readonly number[]) =>
  `${quantile(list, 0.5).toFixed(0)} ms, ${quantile(list, 0.99).toFixed(0)} ms`;
const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
