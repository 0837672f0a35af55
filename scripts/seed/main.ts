/** `npm run seed`: creates a seller of each plan in the Packshot that runs on this machine. */
import { join } from 'node:path';
import { plans } from '#contract';
import { readCommandLine } from '#scripts/command-line.ts';
import { demoSeller, enterpriseSeller } from '#scripts/start/demo-sellers.ts';
import { runningStack } from '#scripts/start/lock.ts';
import { StackError } from '#scripts/start/process.ts';
import { makeSellers } from '#scripts/start/seller.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

readCommandLine('seed', {
  about: 'Creates a seller on each plan in the Packshot that npm start is running.',
});

try {
  const stack = runningStack(join(rootFolder, '.data'));
  if (stack === undefined) throw new StackError('Packshot is not running here: run `npm start` first');
  const { mongodbUrl, stripeUrl, demoSellersAllowed } = stack;
  if (!demoSellersAllowed) {
    throw new StackError(
      'other machines reach it or its database, and the password of these sellers is public',
    );
  }
  if (stripeUrl === undefined)
    throw new StackError('this Packshot uses the real Stripe: sign up and pay there instead');
  const sellers = [demoSeller, enterpriseSeller];
  const isNew = await makeSellers({ mongodbUrl, stripeUrl }, sellers);
  for (const [index, { email, password, plan }] of sellers.entries()) {
    console.log(`${email}  ${password}  ${plans[plan].name}${isNew[index] ? '' : ', existed already'}`);
  }
} catch (error) {
  console.error(`seed: ${(error as Error).message}`);
  process.exitCode = 1;
}
