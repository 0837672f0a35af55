import { type ChangeEmail, type Me, meSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Changes the seller's name. @throws ApiError */
export function changeName(fullName: string): Promise<Me> {
  return callApi('PATCH', paths.me, meSchema, { body: { fullName } });
}

/** Requests a change of email; a link is sent to the new address. @throws ApiError */
export function changeEmail(body: ChangeEmail): Promise<void> {
  return callApi(
    'POST',
    paths.email,
    { status: 202, check: 'Look for our mail at the new address.' },
    { body },
  );
}
