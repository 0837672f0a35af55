import { type OperatorBanner, operatorBannerSchema, operatorPaths, type SetBanner } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The banner that sellers see. @throws ApiError */
export function fetchBanner(signal: AbortSignal): Promise<OperatorBanner> {
  return callApi('GET', operatorPaths.banner, operatorBannerSchema, { signal });
}

/** Shows a banner to sellers. @throws ApiError */
export function setBanner(body: SetBanner): Promise<OperatorBanner> {
  return callApi('PUT', operatorPaths.banner, operatorBannerSchema, { body });
}

/** Removes the banner. @throws ApiError */
export function removeBanner(reason: string): Promise<OperatorBanner> {
  return callApi('DELETE', operatorPaths.banner, operatorBannerSchema, { body: { reason } });
}
