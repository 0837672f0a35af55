/** Changes of an image whose mask or marks take long to read, or to draw. */
import { setTimeout as wait } from 'node:timers/promises';
import { limits, type Mark, paths } from '#contract';
import { createBenchSeller } from '#scripts/bench/seller.ts';
import type { BenchStack } from '#scripts/bench/stack.ts';
import { createUnpaidAccounts } from './accounts.ts';
import type { Attack, Figure } from './attack.ts';
import { slowest, watchOthers } from './decode.ts';

const requests = 8;
const otherUsers = 60;
/** Minimum duration of a measurement: requests that are refused at once end too soon to measure. */
const minDurationMs = 4_000;

export const masks: Attack = {
  name: 'masks',
  title: `${requests} changes of an image at once, whose mask is an SVG that takes long to draw, or with the most marks`,
  async run(stack) {
    const seller = await createBenchSeller(stack);
    const others = await createUnpaidAccounts(stack, otherUsers, 'other');
    try {
      const id = await seller.submit();
      await seller.succeeded(id);
      const figures: Figure[] = [];
      for (const { what, area, status } of volleys()) {
        const watched = watchOthers(stack, others, seller.token);
        const began = performance.now();
        const statuses = await Promise.all(
          Array.from({ length: area ? requests : 0 }, () => change(stack, seller.token, id, area)),
        );
        const tookMs = performance.now() - began;
        await wait(Math.max(0, minDurationMs - tookMs));
        const { signInMs, listMs } = await watched.stop();
        if (area) {
          figures.push({
            what: `${what}: replies`,
            limit: `${status}`,
            measured: `${[...new Set(statuses)].join(', ')} within ${(tookMs / 1_000).toFixed(1)} s`,
            passed: statuses.every((each) => each === status),
          });
        }
        figures.push(
          slowest(`${what}: another user's sign-in, p99`, signInMs),
          slowest(`${what}: a seller's list, p99`, listMs),
        );
      }
      return figures;
    } finally {
      seller.close();
    }
  },
};

/** Nothing as a baseline, what is refused, and what is accepted. */
function volleys(): { what: string; area?: object; status: number }[] {
  const wrong = { kind: 'stroke', width: 1, points: Array(limits.markPoints).fill({}) };
  return [
    { what: 'nothing sent', status: 0 },
    { what: 'an SVG of nested groups', area: { mask: nestedSvg().toString('base64') }, status: 400 },
    { what: 'a million wrong points', area: { marks: Array(300).fill(wrong) }, status: 400 },
    { what: 'the most points, to and fro', area: { marks: [longestStroke()] }, status: 202 },
  ];
}

/** Each group uses the one before it twice, so that the last one is a million rectangles. About 1.1 kB. */
function nestedSvg(): Buffer {
  const groups = Array.from(
    { length: 20 },
    (_, level) => `<g id="g${level + 1}"><use href="#g${level}"/><use href="#g${level}"/></g>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg"><defs><rect id="g0" width="9" height="9"/>${groups.join('')}</defs><use href="#g20"/></svg>`,
  );
}

/** To and fro over the whole image. */
function longestStroke(): Mark {
  const points = Array.from({ length: limits.markPoints }, (_, index) => ({
    x: index % 2 === 0 ? 0 : 1_024,
    y: (index * 7) % 1_024,
  }));
  return { kind: 'stroke', width: 3, points };
}

/** @returns the status of the answer */
async function change({ url }: BenchStack, token: string, id: string, area: object = {}): Promise<number> {
  const response = await fetch(url + paths.changes(id), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ instruction: 'Blue', ...area }),
  });
  await response.arrayBuffer();
  return response.status;
}
