import { type LinkAddress, linkAddressSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** To which address the mail with a link was sent. @throws ApiError */
export function fetchLinkAddress(token: string): Promise<LinkAddress> {
  return callApi('POST', paths.linkAddress, linkAddressSchema, { body: { token } });
}
