/** The calls that begin a session, apart from `api.ts`: pages behind links of mails load without the schema of an account. */
import { paths, type SessionReply, type SignIn, sessionReplySchema, type VerifyEmail } from '#contract';
import { callApi } from '#web/lib/api.ts';
import { expectCookie } from '#web/lib/session.ts';

/** Verifies an address and signs in. @throws ApiError; PASSWORD_REQUIRED in a browser that did not sign up */
export async function verifyEmail(body: VerifyEmail): Promise<SessionReply> {
  const session = await callApi('POST', paths.verifyEmail, sessionReplySchema, { body });
  await expectCookie();
  return session;
}

/** Signs in; the server sets the session cookie. @throws ApiError */
export async function signIn(body: SignIn): Promise<SessionReply> {
  const session = await callApi('POST', paths.session, sessionReplySchema, { body });
  await expectCookie();
  return session;
}
