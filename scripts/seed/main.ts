/** `npm run seed`: makes a seller of each plan on the Packshot that runs here. */
import { join } from 'node:path';
import { plans } from '#contract';
import { runningStack } from '#scripts/start/lock.ts';
import { StackError } from '#scripts/start/process.ts';
import { demoSeller, enterpriseSeller, makeSellers } from '#scripts/start/seller.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

try {
  const stack = runningStack(join(rootFolder, '.data'));
  if (stack === undefined) throw new StackError('no Packshot runs here: type `npm start` first');
  const { mongodbUrl, stripeUrl, demoSellersAllowed } = stack;
  if (!demoSellersAllowed) {
    throw new StackError(
      'others reach it or its database, and everybody knows the password of these sellers',
    );
  }
  if (stripeUrl === undefined) throw new StackError('it works with Stripe itself: sign up and pay there');
  const sellers = [demoSeller, enterpriseSeller];
  const isNew = await makeSellers({ mongodbUrl, stripeUrl }, sellers);
  for (const [index, { email, password, plan }] of sellers.entries()) {
    console.log(`${email}  ${password}  ${plans[plan].name}${isNew[index] ? '' : ', was there already'}`);
  }
} catch (error) {
  console.error(`seed: ${(error as Error).message}`);
  process.exitCode = 1;
}
