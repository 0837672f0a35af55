/** Requests that are sent so slowly that they never complete. */
import { paths } from '#contract';
import { requestHead, type SlowConnection, sendSlowly } from '#tests/support/connections.ts';
import { signInSeller } from './accounts.ts';
import type { Attack, Figure } from './attack.ts';

const connectionsPerKind = 40;
/** Pause between two bytes. */
const intervalMs = 1_000;
/** Longer than every timeout of the server: 60 s for a small body, 30 s for headers. */
const watchedMs = 85_000;
const boundary = 'attack';

export const slowBodies: Attack = {
  name: 'slow-bodies',
  title: `${connectionsPerKind * 4} connections send 1 B/s for ${watchedMs / 1_000} s: to sign-in, to uploads, and as headers`,
  async run(stack) {
    const authorization = `Bearer ${await signInSeller(stack, true)}`;
    const json = { 'content-type': 'application/json' };
    const form = { 'content-type': `multipart/form-data; boundary=${boundary}`, authorization };
    const kinds: [what: string, beginning: string, statuses: string, mostMs: number][] = [
      [
        'sign-ins without a session',
        requestHead('POST', paths.session, { ...json, 'content-length': 1_000 }),
        '408',
        65_000,
      ],
      [
        'sign-ins in chunks',
        `${requestHead('POST', paths.session, { ...json, 'transfer-encoding': 'chunked' })}3e8\r\n`,
        '408',
        65_000,
      ],
      [
        'uploads of one seller',
        requestHead('POST', paths.generations, { ...form, 'content-length': 5_000 }),
        // Two uploads are read at a time; the others wait for a slot.
        '408 or 429',
        65_000,
      ],
      ['headers', 'GET /healthz HTTP/1.1\r\nx-slow: ', '408', 40_000],
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
};

function figuresOf(
  what: string,
  connections: readonly SlowConnection[],
  statuses: string,
  mostMs: number,
): Figure[] {
  const open = connections.filter(({ closedMs }) => closedMs === undefined).length;
  const longest = Math.max(...connections.map(({ closedMs }) => closedMs ?? watchedMs));
  const expected = new RegExp(`^HTTP/1.1 (${statuses.replace(' or ', '|')}) `);
  const answered = connections.filter(({ received }) => expected.test(received)).length;
  const all = connections.length;
  return [
    {
      what: `${what}: still open after ${watchedMs / 1_000} s`,
      limit: `0 of ${all}`,
      measured: `${open} of ${all}`,
      passed: open === 0,
    },
    {
      what: `${what}: longest connection`,
      limit: `< ${mostMs / 1_000} s`,
      measured: open > 0 ? `> ${watchedMs / 1_000} s` : `${(longest / 1_000).toFixed(1)} s`,
      passed: open === 0 && longest < mostMs,
    },
    {
      what: `${what}: answered ${statuses}`,
      limit: `${all} of ${all}`,
      measured: `${answered} of ${all}`,
      passed: answered === all,
    },
  ];
}
