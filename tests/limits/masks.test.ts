/** Changes of an image whose mask or marks take long to read, or to draw. */

import { limits, type Mark, paths } from '#contract';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestAs } from '#tests/support/api-client.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { limitMs } from '#tests/support/machine.ts';
import { nestedSvg } from '#tests/support/odd-photos.ts';
import { medianCpuMs } from '#tests/support/process-usage.ts';
import { ms } from '#tests/support/statistics.ts';
import { answered, below, type Figure, testAttack } from './runner.ts';

/** Requests of each kind. */
const requests = 8;

testAttack(
  `${requests} changes of an image, whose mask is an SVG that takes long to draw, or with the most marks`,
  async (stack) => {
    const server = stack.process('server');
    const seller = await createBenchSeller(stack);
    const id = await seller.submit();
    await seller.succeeded(id);
    const figures: Figure[] = [];
    for (const { what, body, status, maxMs } of volleys()) {
      const { usedMs, answers } = await medianCpuMs(server.pid, requests, () =>
        change(stack, seller.token, id, body),
      );
      figures.push(
        answered(`${what}: replies`, answers, status),
        below(`${what}: processor time of the server and its decoders, each`, usedMs, limitMs(maxMs), ms),
      );
    }
    return figures;
  },
);

interface Volley {
  what: string;
  body: object;
  status: number;
  /** Processor time that one request may take. */
  maxMs: number;
}

/** What is refused, and what is accepted. */
function volleys(): Volley[] {
  const bodyOf = (area: object) => ({ instruction: 'Blue', ...area });
  const wrong = { kind: 'stroke', width: 1, points: Array(limits.markPoints).fill({}) };
  return [
    {
      what: 'an SVG of nested groups',
      body: bodyOf({ mask: nestedSvg().toString('base64') }),
      status: 400,
      maxMs: 100,
    },
    {
      what: 'a million wrong points',
      body: bodyOf({ marks: Array(300).fill(wrong) }),
      status: 400,
      maxMs: 200,
    },
    {
      what: 'the most points, to and fro',
      body: bodyOf({ marks: [longestStroke()] }),
      status: 202,
      maxMs: 1_000,
    },
  ];
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
async function change({ url }: CampaignStack, token: string, id: string, body: object): Promise<number> {
  const response = await requestAs(url, token, 'POST', paths.changes(id), body);
  await response.arrayBuffer();
  return response.status;
}
