import { type PasswordAndCode, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Removes a passkey. @throws ApiError */
export function removePasskey(id: string, body: PasswordAndCode): Promise<void> {
  return callApi(
    'DELETE',
    paths.passkey(id),
    { status: 204, check: 'Reload this page to see whether the passkey is still there.' },
    { body },
  );
}
