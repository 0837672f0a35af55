/** `npm run seed`: signs up a seller of each plan on a Packshot that runs here, or at `--url`. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rootFolder } from '../shared/config.ts';
import { plans } from '../shared/contract/index.ts';
import { runningStack } from './start/lock.ts';
import { StackError } from './start/process.ts';
import { demoSeller, enterpriseSeller, signUpSeller } from './start/seller.ts';

try {
  const { values } = parseArgs({ options: { url: { type: 'string' } } });
  const url = values.url?.replace(/\/+$/, '') ?? runningStack(join(rootFolder, '.data'))?.url;
  if (url === undefined) throw new StackError('no Packshot runs here: type `npm start` first, or pass --url');
  for (const seller of [demoSeller, enterpriseSeller]) {
    const isNew = await signUpSeller(url, seller);
    const plan = plans[seller.plan].name;
    console.log(`${seller.email}  ${seller.password}  ${plan}${isNew ? '' : ', was there already'}`);
  }
} catch (error) {
  console.error(`seed: ${(error as Error).message}`);
  process.exitCode = 1;
}
