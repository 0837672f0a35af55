import { type DataExport, paths } from '#contract';
import { call } from './account.ts';
import { type Seller, testPassword } from './seller.ts';

/** Asks for an export of all data. @returns the path of its ZIP, with the ticket */
export async function askForExport(
  seller: Pick<Seller, 'request'>,
  credentials: { password?: string; code?: string } = {},
): Promise<string> {
  const body = { password: testPassword, ...credentials };
  const reply = await call<DataExport>(seller, 'POST', paths.export, body);
  if (reply.status !== 200)
    throw new Error(`the export answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body.url;
}
