/** Somebody with a session and the password guesses two-factor codes, to turn two-factor sign-in off. */

import { randomInt } from 'node:crypto';
import { TOTP } from 'otpauth';
import { type ErrorReply, limits, paths, type TwoFactorSetup } from '#contract';
import { passTimeOfLimits } from '#tests/campaigns/support/rows.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestAs, signIn } from '#tests/support/api-client.ts';
import { createUnpaidAccounts } from './accounts.ts';
import { atMost, testAttack } from './runner.ts';

/**
 * For how long guesses are sent, as the server's limits see it. They are sent as fast as the server answers; each wait that
 * a reply asks for is made to have passed.
 */
const guessedHours = 3;
/** Guesses in a session since the last right one, however long it lasts. */
const mostGuesses = limits.lockOutFailures * limits.sessionLocks;

testAttack(
  `a session and the password, and wrong codes for ${guessedHours} h whose waits are skipped`,
  async (stack) => {
    const { hours, guesses, ended } = await guess(stack, await twoFactorAccount(stack));
    const aDay = ended ? guesses : Math.round((guesses / hours) * 24);
    return [
      atMost(`codes that were checked in ${hours.toFixed(1)} h`, guesses, mostGuesses),
      atMost('codes that can be guessed in a day', aDay, mostGuesses),
    ];
  },
);

interface Victim {
  token: string;
  password: string;
}

async function twoFactorAccount(stack: CampaignStack): Promise<Victim> {
  const [account] = await createUnpaidAccounts(stack, 1, 'two-factor');
  const { password } = account!;
  const { token } = await signIn(stack.url, account!);
  const begun = await requestAs(stack.url, token, 'POST', paths.twoFactor, { password });
  const { secret } = (await begun.json()) as TwoFactorSetup;
  const code = new TOTP({ secret }).generate();
  const on = await requestAs(stack.url, token, 'POST', paths.confirmTwoFactor, { code });
  if (on.status !== 200) throw new Error(`two-factor sign-in was not turned on: ${await on.text()}`);
  return { token, password };
}

/** Guesses until the session ends or the hours are over. */
async function guess(
  { url, db }: CampaignStack,
  { token, password }: Victim,
): Promise<{ hours: number; guesses: number; ended: boolean }> {
  let guesses = 0;
  let waitedSeconds = 0;
  for (;;) {
    const hours = waitedSeconds / 3_600;
    if (hours >= guessedHours) return { hours, guesses, ended: false };
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const reply = await requestAs(url, token, 'DELETE', paths.twoFactor, { password, code });
    if (reply.status === 204) throw new Error('a code was guessed');
    const { error } = (await reply.json()) as ErrorReply;
    if (error.code === 'CODE_INVALID') guesses += 1;
    else if (error.code === 'UNAUTHENTICATED') return { hours, guesses, ended: true };
    else {
      const seconds = Number(reply.headers.get('retry-after'));
      if (!(seconds > 0)) throw new Error(`a guess was answered with ${error.code}`);
      await passTimeOfLimits(db, seconds);
      waitedSeconds += seconds;
    }
  }
}
