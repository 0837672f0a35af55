import { paths, type SessionReply, sessionReplySchema, type VerifyEmail } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Verifies an address and signs in. @throws ApiError; PASSWORD_REQUIRED in a browser that did not sign up */
export function verifyEmail(body: VerifyEmail): Promise<SessionReply> {
  return callApi('POST', paths.verifyEmail, sessionReplySchema, { body });
}
