import { paths, type SessionReply, type SignIn, sessionReplySchema } from '#contract';
import { callApi } from '#web/lib/api.ts';
import { expectCookie } from '#web/lib/session.ts';

/** Signs in; the server sets the session cookie. @throws ApiError */
export async function signIn(body: SignIn): Promise<SessionReply> {
  const session = await callApi('POST', paths.session, sessionReplySchema, { body });
  await expectCookie();
  return session;
}
