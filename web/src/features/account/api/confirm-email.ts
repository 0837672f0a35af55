import { type ConfirmEmail, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Moves an account to its new address by the link of a mail. @throws ApiError; CODE_REQUIRED where two-factor is on */
export function confirmEmail(body: ConfirmEmail): Promise<void> {
  return callApi<void>('POST', paths.confirmEmail, null, { body });
}
