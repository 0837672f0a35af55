import {
  paths,
  type SessionReply,
  type SignUp,
  sessionReplySchema,
} from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Creates an account and signs it in; the server sets the session's cookie. @throws ApiError */
export function signUp(body: SignUp): Promise<SessionReply> {
  return callApi('POST', paths.accounts, sessionReplySchema, { body });
}
