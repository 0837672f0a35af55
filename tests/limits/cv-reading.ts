/** Applications whose CV takes long to read. */
import { setTimeout as wait } from 'node:timers/promises';
import { limits, paths } from '#contract';
import { requestList } from '#tests/support/api-client.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { hostileCvs } from '#tests/support/hostile-cvs.ts';
import { cpuMs } from '#tests/support/process-usage.ts';
import { ms, quantile } from '#tests/support/statistics.ts';
import type { Attack, Figure } from './attack.ts';

/** Applications of each kind. */
const applications = 10;
/** Processor time of the server that one application may take more than one with as many bytes of text. */
const maxMoreMs = 40;
const listsPerSecond = 20;
const maxListMs = 500;
/** A smaller one would hide what receiving the bytes takes. */
const harmless = { what: 'text', file: Buffer.alloc(limits.cvBytes, 'a CV ') };

export const cvFiles: Attack = {
  name: 'cv-files',
  title: `${applications} applications of each kind whose CV takes long to read, such as ZIPs that claim anything`,
  async run(stack) {
    const server = stack.processes.find(({ name }) => name === 'server')!;
    const seller = await createBenchSeller(stack);
    const measure = async (file: Buffer) => {
      const before = cpuMs(server.pid) ?? Number.NaN;
      const lists = watchLists(stack.url, seller.token);
      const statuses: number[] = [];
      for (let sent = 0; sent < applications; sent += 1) statuses.push(await apply(stack.url, file));
      const listMs = await lists.stop();
      return { statuses, listMs, usedMs: ((cpuMs(server.pid) ?? Number.NaN) - before) / applications };
    };
    try {
      // The first ones take longer.
      await measure(harmless.file);
      const usual = await measure(harmless.file);
      const figures = [
        slowestList(harmless.what, usual.listMs),
        {
          what: `${harmless.what}: processor time of the server, each`,
          limit: 'for comparison',
          measured: ms(usual.usedMs),
          passed: true,
        },
      ];
      for (const { what, file } of hostileCvs()) {
        const { statuses, listMs, usedMs } = await measure(file);
        figures.push(
          {
            what: `${what}: replies`,
            limit: '415',
            measured: [...new Set(statuses)].join(', '),
            passed: statuses.every((status) => status === 415),
          },
          {
            what: `${what}: processor time of the server, each`,
            limit: `< ${ms(usual.usedMs + maxMoreMs)}`,
            measured: ms(usedMs),
            passed: usedMs < usual.usedMs + maxMoreMs,
          },
          slowestList(what, listMs),
        );
      }
      return figures;
    } finally {
      seller.close();
    }
  },
};

function slowestList(what: string, times: readonly number[]): Figure {
  const p99 = quantile(times, 0.99);
  return {
    what: `${what}: a seller's list, p99`,
    limit: `< ${maxListMs} ms`,
    measured: `${ms(p99)} of ${times.length}`,
    passed: p99 < maxListMs,
  };
}

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

/** Requests a seller's list at a fixed rate until stopped. */
function watchLists(url: string, token: string) {
  const stopping = new AbortController();
  const timeOf = async () => {
    const began = performance.now();
    const reply = await requestList(url, token);
    await reply.arrayBuffer();
    return reply.status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY;
  };
  const watch = async () => {
    const times: Promise<number>[] = [];
    while (!stopping.signal.aborted) {
      times.push(timeOf());
      await wait(1_000 / listsPerSecond, undefined, { signal: stopping.signal }).catch(() => {});
    }
    return Promise.all(times);
  };
  const watching = watch();
  return {
    stop() {
      stopping.abort();
      return watching;
    },
  };
}
