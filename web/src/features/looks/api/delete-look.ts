import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Deletes a look. @throws ApiError */
export function deleteLook(id: string): Promise<void> {
  return callApi('DELETE', paths.look(id), {
    status: 204,
    check: 'Reload this page to see whether the look is still there.',
  });
}
