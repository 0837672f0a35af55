import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Deletes a batch that is not in progress; its images stay in the library. @throws ApiError */
export function deleteBatch(id: string): Promise<void> {
  return callApi('DELETE', paths.batch(id), {
    status: 204,
    check: 'Reload this page to see whether the batch is still there.',
  });
}
