/**
 * Memory, processor time and event-loop delay of one worker that has many calls of 20 s under way, with photos and images as
 * large as those of photographs.
 */

import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { freePort } from '#scripts/start/port.ts';
import { onStack } from '#tests/campaigns/support/stack.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { cpuMs, residentBytes } from '#tests/support/process-usage.ts';
import { grainyPhoto } from '#tests/support/sample-photo.ts';

/** A call of 20 s: the first preview comes after 12 s, the other one and the image after 4 s more each. */
const behaviour = { kind: 'slow', ms: 12_000, previewMs: 4_000 } as const;
const callMs = 20_000;
const megabyte = 2 ** 20;

/** prom-client measures with a timer of 10 ms, which every delay contains. */
const timerMs = 10;

/**
 * @param calls under way at the same time, which is also the worker's concurrency
 * @param productMatch whether the images are compared with their photos, which takes 400 MB by itself
 */
export async function benchInFlight(calls: number, productMatch: boolean): Promise<void> {
  const metricsPort = await freePort('127.0.0.1', 0);
  const options = {
    settings: { WORKER_CONCURRENCY: String(calls), PRODUCT_MATCH: String(productMatch) },
    workerSettings: { METRICS_PORT: String(metricsPort) },
    imageFlags: ['--grain'],
  };
  await onStack(options, async (stack) => {
    const { pid } = stack.process('worker');
    const { images } = stack;
    const seller = await createBenchSeller(stack);
    // Loads what the first image loads.
    await seller.succeeded(await seller.submit());
    await images.set({ default: behaviour });
    const idle = residentBytes(pid);
    await eventLoopDelayMs(metricsPort);
    const cpuBefore = cpuMs(pid);
    const began = performance.now();
    let peak = idle;
    const sampling = setInterval(() => {
      peak = Math.max(peak, residentBytes(pid));
    }, 200);
    const photo = await grainyPhoto();
    const made: Promise<void>[] = [];
    await pLimit(4).map(Array(calls).keys(), async () => {
      const id = await seller.submit(photo);
      made.push(seller.succeeded(id));
    });
    await images.waitFor({ calls: calls + 1 });
    await wait(2_000);
    const { active } = await images.state();
    const underWay = residentBytes(pid);
    const delayUnderWay = await eventLoopDelayMs(metricsPort);
    await Promise.all(made);
    clearInterval(sampling);
    const seconds = (performance.now() - began) / 1_000;
    const cpu = (cpuMs(pid) - cpuBefore) / 1_000;
    const delayAtEnd = await eventLoopDelayMs(metricsPort);
    const show = (bytes: number) => `${Math.round(bytes / megabyte)} MB`;
    console.log(
      `one worker, ${active} calls of ${callMs / 1_000} s under way with two previews each, photos of ${show(photo.size)}, ${productMatch ? 'with' : 'without'} the product match`,
    );
    console.log(
      `    memory        ${show(idle)} idle, ${show(underWay)} under way, ${show(peak)} at most   (aim: 500 MB)`,
    );
    console.log(
      `    processor     ${((cpu / seconds) * 100).toFixed(0)} % of one over ${seconds.toFixed(0)} s`,
    );
    console.log(
      `    event loop    p99 ${delayUnderWay.toFixed(0)} ms while calls begin, ${delayAtEnd.toFixed(0)} ms while they end   (aim: 30 ms)`,
    );
  });
}

/** The 99th percentile of the worker's event-loop delay since it was read last, in ms. */
async function eventLoopDelayMs(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1];
  return Math.max(0, Number(seconds) * 1_000 - timerMs);
}
