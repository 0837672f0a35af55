/** Requests that are sent so slowly that they never complete. */

import { paths } from '#contract';
import { requestHead, type SlowConnection, sendSlowly } from '#tests/support/connections.ts';
import { limitMs } from '#tests/support/machine.ts';
import { signInSeller } from './accounts.ts';
import { answered, below, equal, type Figure, seconds, testAttack } from './runner.ts';

const connectionsPerKind = 40;
/** Pause between two bytes. */
const intervalMs = 1_000;
/** Longer than every timeout of the server: 60 s for a small body, 30 s for headers. */
const watchedMs = limitMs(85_000);
const boundary = 'attack';

testAttack(
  `${connectionsPerKind * 4} connections send 1 B/s for ${watchedMs / 1_000} s: to sign-in, to uploads, and as headers`,
  async (stack) => {
    const authorization = `Bearer ${await signInSeller(stack, true)}`;
    const json = { 'content-type': 'application/json' };
    const form = { 'content-type': `multipart/form-data; boundary=${boundary}`, authorization };
    const kinds: [what: string, beginning: string, statuses: number[], mostMs: number][] = [
      [
        'sign-ins without a session',
        requestHead('POST', paths.session, { ...json, 'content-length': 1_000 }),
        [408],
        65_000,
      ],
      [
        'sign-ins in chunks',
        `${requestHead('POST', paths.session, { ...json, 'transfer-encoding': 'chunked' })}3e8\r\n`,
        [408],
        65_000,
      ],
      [
        'uploads of one seller',
        requestHead('POST', paths.generations, { ...form, 'content-length': 5_000 }),
        // Two uploads are read at a time; the others wait for a slot.
        [408, 429],
        65_000,
      ],
      ['headers', 'GET /healthz HTTP/1.1\r\nx-slow: ', [408], 40_000],
    ];
    const results = await Promise.all(
      kinds.map(([, beginning]) =>
        Promise.all(
          Array.from({ length: connectionsPerKind }, () =>
            sendSlowly(stack.url, beginning, { intervalMs, timeoutMs: watchedMs }),
          ),
        ),
      ),
    );
    return kinds.flatMap(([what, , statuses, mostMs], index) =>
      figuresOf(what, results[index]!, statuses, mostMs),
    );
  },
);

function figuresOf(
  what: string,
  connections: readonly SlowConnection[],
  statuses: readonly number[],
  mostMs: number,
): Figure[] {
  const open = connections.filter(({ closedMs }) => closedMs === undefined).length;
  const longest = Math.max(...connections.map(({ closedMs }) => closedMs ?? watchedMs));
  const replies = connections.map(({ received }) => Number(/^HTTP\/1.1 (\d+) /.exec(received)?.[1] ?? 0));
  return [
    equal(`${what}: of ${connections.length} still open after ${seconds(watchedMs)}`, open, 0),
    below(`${what}: longest connection`, longest, limitMs(mostMs), seconds),
    answered(`${what}: replies`, replies, ...statuses),
  ];
}
