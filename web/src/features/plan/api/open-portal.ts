import { type PortalReply, paths, portalReplySchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Opens a session of the billing portal. @returns its URL @throws ApiError */
export function openPortal(): Promise<PortalReply> {
  return callApi('POST', paths.portalSession, portalReplySchema);
}
