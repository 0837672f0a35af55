/** Requests that never arrive as a whole. */
import { paths } from '#contract';
import type { Attack, Figure } from './attack.ts';
import { requestHead, type SlowConnection, sendSlowly } from './connections.ts';
import { signInSeller } from './sellers.ts';

const connectionsOfEach = 40;
/** A byte a second. */
const intervalMs = 1_000;
/** All deadlines are over by then: a body without much to say has 60 s, headers have 30. */
const watchedMs = 85_000;
const boundary = 'attack';

export const slowBodies: Attack = {
  name: 'slow-bodies',
  title: `${connectionsOfEach * 4} connections send 1 B/s for ${watchedMs / 1_000} s: to sign-in, to uploads, and as headers`,
  // All come from one address, whose limits are not what is attacked here.
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
        // Two of them are read, the others wait for their place.
        '408 or 429',
        65_000,
      ],
      ['headers', 'GET /healthz HTTP/1.1\r\nx-slow: ', '408', 40_000],
    ];
    const results = await Promise.all(
      kinds.map(([, beginning]) =>
        Promise.all(
          Array.from({ length: connectionsOfEach }, () =>
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
  drips: readonly SlowConnection[],
  statuses: string,
  mostMs: number,
): Figure[] {
  const open = drips.filter(({ closedMs }) => closedMs === undefined).length;
  const longest = Math.max(...drips.map(({ closedMs }) => closedMs ?? watchedMs));
  const wanted = new RegExp(`^HTTP/1.1 (${statuses.replace(' or ', '|')}) `);
  const answered = drips.filter(({ received }) => wanted.test(received)).length;
  const all = drips.length;
  return [
    {
      what: `${what}: still open after ${watchedMs / 1_000} s`,
      asked: `0 of ${all}`,
      measured: `${open} of ${all}`,
      held: open === 0,
    },
    {
      what: `${what}: longest life of a connection`,
      asked: `< ${mostMs / 1_000} s`,
      measured: open > 0 ? `> ${watchedMs / 1_000} s` : `${(longest / 1_000).toFixed(1)} s`,
      held: open === 0 && longest < mostMs,
    },
    {
      what: `${what}: answered ${statuses}`,
      asked: `${all} of ${all}`,
      measured: `${answered} of ${all}`,
      held: answered === all,
    },
  ];
}
