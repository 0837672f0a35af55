import { type Me, meSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Changes the seller's name. @throws ApiError */
export function changeName(fullName: string): Promise<Me> {
  return callApi('PATCH', paths.me, meSchema, { body: { fullName } });
}
