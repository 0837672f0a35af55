import { paths, type SessionReply, type SignIn, sessionReplySchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Signs in; the server sets the session cookie. @throws ApiError */
export function signIn(body: SignIn): Promise<SessionReply> {
  return callApi('POST', paths.session, sessionReplySchema, { body });
}
