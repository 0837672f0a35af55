import { type PasskeyView, passkeyViewSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Gives a passkey another name. @throws ApiError */
export function renamePasskey(id: string, name: string): Promise<PasskeyView> {
  return callApi('PATCH', paths.passkey(id), passkeyViewSchema, { body: { name } });
}
