import { type OperatorBanner, operatorBannerSchema, paths, type SetBanner } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The banner that sellers see. @throws ApiError */
export function fetchBanner(signal: AbortSignal): Promise<OperatorBanner> {
  return callApi('GET', paths.operatorBanner, operatorBannerSchema, { signal });
}

/** Shows a banner to sellers. @throws ApiError */
export function setBanner(body: SetBanner): Promise<OperatorBanner> {
  return callApi('PUT', paths.operatorBanner, operatorBannerSchema, { body });
}

/** Removes the banner. @throws ApiError */
export function removeBanner(reason: string): Promise<OperatorBanner> {
  return callApi('DELETE', paths.operatorBanner, operatorBannerSchema, { body: { reason } });
}
