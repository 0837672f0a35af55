import { type Usage, usagePaths, usageSchema, type V1UsageQuery } from '#contract';
import { callApi } from '#web/lib/api.ts';
import { download } from '#web/lib/save-file.ts';

const at = (path: string, { from, to }: V1UsageQuery) => `${path}?from=${from}&to=${to}`;

/** The images that the seller used in some days. @throws ApiError */
export function fetchUsage(days: V1UsageQuery, signal?: AbortSignal): Promise<Usage> {
  return callApi('GET', at(usagePaths.usage, days), usageSchema, { signal });
}

/** Downloads the same as CSV. */
export const downloadUsage = (days: V1UsageQuery) => download(at(usagePaths.csv, days));
