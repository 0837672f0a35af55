/** The sellers that a developer signs in as. */
import { type ErrorReply, paths, type SignUp } from '../../shared/contract/index.ts';
import { StackError } from './process.ts';

export const demoSeller = {
  email: 'demo@packshot.example',
  password: 'Packshot-Demo-1',
  fullName: 'Demo Seller',
  plan: 'freelance',
} as const;

/** A second one, on the plan without a limit. */
export const enterpriseSeller = {
  email: 'studio@packshot.example',
  password: 'Packshot-Demo-1',
  fullName: 'Studio Seller',
  plan: 'enterprise',
} as const;

/**
 * Signs a seller up, unless they are there already.
 * @param url address of the API server
 * @returns whether they are new
 * @throws StackError when the server does not answer, or refuses for any other reason
 */
export async function signUpSeller(url: string, seller: Omit<SignUp, 'acceptTerms'>): Promise<boolean> {
  const body: SignUp = { ...seller, acceptTerms: true };
  const reply = await fetch(`${url}${paths.accounts}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new StackError(`no answer from ${url}: is Packshot running there?`);
  });
  if (reply.ok) return true;
  const answer = (await reply.json().catch(() => undefined)) as Partial<ErrorReply> | undefined;
  if (answer?.error?.code === 'SIGN_UP_REFUSED') return false;
  const reason = answer?.error?.message ?? `the server answered ${reply.status}`;
  throw new StackError(`${seller.email} could not be signed up: ${reason}`);
}
