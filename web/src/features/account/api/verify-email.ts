import { paths, type SessionReply, sessionReplySchema, type VerifyEmail } from '#contract';
import { callApi } from '#web/lib/api.ts';
import { expectCookie } from '#web/lib/session.ts';

/** Verifies an address and signs in. @throws ApiError; PASSWORD_REQUIRED in a browser that did not sign up */
export async function verifyEmail(body: VerifyEmail): Promise<SessionReply> {
  const session = await callApi('POST', paths.verifyEmail, sessionReplySchema, { body });
  await expectCookie();
  return session;
}
