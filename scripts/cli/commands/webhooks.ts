import { setTimeout as wait } from 'node:timers/promises';
import { oneOf, readCommandLine } from '#scripts/command-line.ts';
import { newWebhookSecret, webhookHeaders } from '#shared/webhooks/signature.ts';
import type { CommandContext } from '../context.ts';
import { followEvents, type HappenedEvent } from '../events.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';

/** How long the program may take to answer, in ms, as of real webhooks. */
const answerMs = 10_000;
/** The pauses in s before an event that the program did not take is sent again. */
const pauses = [1, 2, 4, 8];

/** What came of sending an event to the program. */
interface Sent {
  /** Null without an answer. */
  status: number | null;
  /** Null when it took the event. */
  problem: string | null;
}

/** `packshot webhooks listen`: sends what happens to a program on this machine, signed as webhooks are, until Ctrl-C. */
export async function webhooks({ words, connect, print, note, signal }: CommandContext): Promise<number> {
  const { values, words: rest } = readCommandLine(
    'packshot',
    {
      typed: 'packshot webhooks',
      about:
        'Sends what happens to a program on this machine, signed as webhooks are, until Ctrl-C. A connection that is lost is opened again, and goes on after the last event.',
      words: 'listen',
      options: {
        forward: { takes: 'ADDRESS', about: 'where events are sent; without it they are printed alone' },
        secret: {
          takes: 'SECRET',
          about: 'what they are signed with, from another run; by default a new one',
        },
        after: { takes: 'EVENT', about: 'the id of an event: begins after it, not now' },
        json: { about: 'prints each event as a line of JSON' },
      },
    },
    words,
  );
  oneOf('packshot webhooks', 'the first word', ['listen'], rest[0]!);
  const forward = values.forward === undefined ? undefined : addressOf(values.forward);
  const secret = values.secret ?? newWebhookSecret();
  checkSecret(secret);
  const packshot = await connect();
  if (forward) print(values.json ? JSON.stringify({ forward, secret }) : `Signed with ${secret}`);

  let was: 'new' | 'open' | 'lost' = 'new';
  await followEvents(
    packshot,
    { after: values.after, signal },
    async (event) => {
      const sent = forward === undefined ? null : await send(forward, secret, event, signal);
      const parsed = JSON.parse(event.body) as { timestamp: string; data: { id?: string } };
      if (values.json) print(JSON.stringify({ id: event.id, event: parsed, ...sent }));
      else {
        const about = `${parsed.timestamp}  ${event.type}  ${parsed.data.id ?? ''}`.trimEnd();
        print(sent === null ? about : `${about}  ${sent.problem ?? sent.status}`);
      }
    },
    (problem) => {
      if (problem !== null && was !== 'lost') note.write(`not connected: ${problem}\n`);
      if (problem === null && was !== 'open') note.write('listening, until Ctrl-C\n');
      was = problem === null ? 'open' : 'lost';
    },
  );
  return exitCodes.done;
}

/** @throws CommandError */
function addressOf(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text;
  throw new CommandError('--forward is an address that begins with http:// or https://');
}

/** @throws CommandError */
function checkSecret(secret: string): void {
  try {
    webhookHeaders([secret], { id: 'msg_', at: new Date(), body: '' });
  } catch {
    throw new CommandError('--secret is not one that this command has printed');
  }
}

/** Sends an event until it is taken, a few times. */
async function send(
  forward: string,
  secret: string,
  event: HappenedEvent,
  signal: AbortSignal,
): Promise<Sent> {
  for (let attempt = 0; ; attempt += 1) {
    const sent = await post(forward, secret, event);
    const pause = pauses[attempt];
    if (sent.problem === null || pause === undefined || signal.aborted) return sent;
    await wait(pause * 1_000, undefined, { signal }).catch(() => {});
  }
}

async function post(forward: string, secret: string, { id, body }: HappenedEvent): Promise<Sent> {
  try {
    const { status, body: answer } = await fetch(forward, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...webhookHeaders([secret], { id, at: new Date(), body }),
      },
      body,
      // Nor do real webhooks follow one.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    });
    await answer?.cancel();
    return { status, problem: status >= 200 && status < 300 ? null : `answered ${status}` };
  } catch {
    return { status: null, problem: 'no answer' };
  }
}
