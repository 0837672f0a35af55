import { paths, publicInfoSchema, type Service } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Facts about this installation, with the operators' banner. @throws ApiError */
export function fetchService(signal: AbortSignal): Promise<Service> {
  return callApi('GET', paths.service, publicInfoSchema, { signal });
}
