/** The seller that a developer signs in as. */
import { paths, type SignUp } from '../../shared/contract/index.ts';
import { StackError } from './process.ts';

export const demoSeller = {
  email: 'demo@packshot.example',
  password: 'Packshot-Demo-1',
  fullName: 'Demo Seller',
  plan: 'freelance',
} as const;

/**
 * Signs the demo seller up, unless they are there already.
 * @param url address of the API server
 * @throws StackError when the server refuses for any other reason
 */
export async function createDemoSeller(url: string): Promise<void> {
  const body: SignUp = { ...demoSeller, acceptTerms: true };
  const reply = await fetch(`${url}${paths.accounts}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as { error?: { code: string; message: string } };
  if (reply.ok || answer.error?.code === 'SIGN_UP_REFUSED') return;
  throw new StackError(`the demo seller could not be signed up: ${answer.error?.message ?? reply.status}`);
}
