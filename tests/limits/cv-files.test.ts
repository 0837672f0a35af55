/** Applications whose CV takes long to read. */

import { limits, paths } from '#contract';
import { requestList } from '#tests/support/api-client.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { hostileCvs } from '#tests/support/hostile-cvs.ts';
import { limitMs } from '#tests/support/machine.ts';
import { medianCpuMs } from '#tests/support/process-usage.ts';
import { ms, quantile } from '#tests/support/statistics.ts';
import { answered, below, type Figure, sendSteadily, shown, testAttack } from './runner.ts';

/** Applications of each kind. */
const applications = 10;
/** Processor time of the server that one application may take more than one with as many bytes of text. */
const maxMoreMs = 40;
const listsPerSecond = 20;
const maxListMs = 500;
/** A smaller one would hide what receiving the bytes takes. */
const harmless = { what: 'text', file: Buffer.alloc(limits.cvBytes, 'a CV ') };

testAttack(
  `${applications} applications of each kind whose CV takes long to read, such as ZIPs that claim anything`,
  async (stack) => {
    const server = stack.process('server');
    const seller = await createBenchSeller(stack);
    const measure = async (file: Buffer) => {
      const lists = sendSteadily(listsPerSecond, () => requestList(stack.url, seller.token));
      const { usedMs, answers } = await medianCpuMs(server.pid, applications, () => apply(stack.url, file));
      return { statuses: answers, listMs: await lists.stop(), usedMs };
    };
    // The first ones take longer.
    await measure(harmless.file);
    const usual = await measure(harmless.file);
    const figures = [
      slowestList(harmless.what, usual.listMs),
      shown(`${harmless.what}: processor time of the server, each`, ms(usual.usedMs)),
    ];
    for (const { what, file } of hostileCvs()) {
      const { statuses, listMs, usedMs } = await measure(file);
      figures.push(
        answered(`${what}: replies`, statuses, 415),
        below(`${what}: processor time of the server, each`, usedMs, usual.usedMs + limitMs(maxMoreMs), ms),
        slowestList(what, listMs),
      );
    }
    return figures;
  },
);

const slowestList = (what: string, times: readonly number[]): Figure =>
  below(`${what}: a seller's list, p99 of ${times.length}`, quantile(times, 0.99), limitMs(maxListMs), ms);

/** @returns the status of the answer */
async function apply(url: string, cv: Buffer): Promise<number> {
  const form = new FormData();
  const fields = { position: 'product-engineer', name: 'Ada', email: 'ada@example.com' };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('cv', new Blob([new Uint8Array(cv)]), 'cv.docx');
  const response = await fetch(url + paths.applications, { method: 'POST', body: form });
  await response.arrayBuffer();
  return response.status;
}
