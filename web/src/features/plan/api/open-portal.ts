import { type PortalReply, paths, portalReplySchema } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Opens a session of the billing portal. @returns where it is. @throws ApiError */
export function openPortal(): Promise<PortalReply> {
  return callApi('POST', paths.portalSession, portalReplySchema);
}
