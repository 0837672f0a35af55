import { readCommandLine } from '#scripts/command-line.ts';
import { answerOf } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { countOf } from '../words.ts';

/** `packshot balance`: how many images are left. */
export async function balance({ words, connect, print }: CommandContext): Promise<number> {
  const { values } = readCommandLine(
    'packshot',
    {
      typed: 'packshot balance',
      about: 'Prints how many images are left.',
      options: { json: { about: 'prints it as JSON' } },
    },
    words,
  );
  const packshot = await connect();
  const { plan, left, onHold, leftToday, renewsAt } = await answerOf(() => packshot.GET('/api/v1/balance'));
  if (values.json) print(JSON.stringify({ plan, left, onHold, leftToday, renewsAt }, null, 2));
  else {
    print(`${countOf(left, 'image')} left, plan ${plan}`);
    if (onHold > 0) print(`${onHold} being made`);
    if (leftToday !== null) print(`${leftToday} left today`);
    if (renewsAt !== null) print(`renews on ${renewsAt.slice(0, 10)}`);
  }
  return exitCodes.done;
}
