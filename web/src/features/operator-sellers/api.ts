import {
  type CreditEntryList,
  creditEntryListSchema,
  type OperatorBilling,
  type OperatorDeletion,
  type OperatorDeletionReply,
  type OperatorExport,
  type OperatorImages,
  type OperatorSellerAction,
  type OperatorSellerActionBody,
  type OperatorSellerList,
  type OperatorSellerView,
  type OperatorStripePlan,
  operatorBillingSchema,
  operatorDeletionReplySchema,
  operatorExportSchema,
  operatorPaths,
  operatorSellerListSchema,
  operatorSellerViewSchema,
  operatorStripePlanSchema,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Sellers by the beginning of their address, or by id. @throws ApiError */
export function searchSellers(query: string, signal: AbortSignal): Promise<OperatorSellerList> {
  const path = `${operatorPaths.sellers}?${new URLSearchParams({ query })}`;
  return callApi('GET', path, operatorSellerListSchema, { signal });
}

/** A seller with balance and plan. @throws ApiError */
export function fetchSeller(id: string, signal: AbortSignal): Promise<OperatorSellerView> {
  return callApi('GET', operatorPaths.seller(id), operatorSellerViewSchema, { signal });
}

/** What Stripe says now. @throws ApiError */
export function fetchStripePlan(id: string, signal: AbortSignal): Promise<OperatorStripePlan> {
  return callApi('GET', operatorPaths.sellerStripe(id), operatorStripePlanSchema, { signal });
}

/** A page of a seller's ledger, newest first. @param cursor null for the first page @throws ApiError */
export function listLedger(id: string, cursor: string | null, signal: AbortSignal): Promise<CreditEntryList> {
  const query = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`;
  return callApi('GET', operatorPaths.sellerLedger(id) + query, creditEntryListSchema, { signal });
}

/** Gives a seller images, or takes some. @throws ApiError */
export function changeImages(id: string, body: OperatorImages): Promise<OperatorSellerView> {
  return callApi('POST', operatorPaths.sellerImages(id), operatorSellerViewSchema, { body });
}

/** Disables or enables an account, or applies what Stripe says about its plan. @throws ApiError */
export function actOnSeller(
  id: string,
  action: OperatorSellerAction,
  body: OperatorSellerActionBody,
): Promise<OperatorSellerView> {
  return callApi('POST', operatorPaths.sellerAction(id, action), operatorSellerViewSchema, { body });
}

/** What ending the billing would do, as Stripe has it now. @throws ApiError */
export function fetchBilling(id: string, signal: AbortSignal): Promise<OperatorBilling> {
  return callApi('GET', operatorPaths.sellerBilling(id), operatorBillingSchema, { signal });
}

/** Asks for the ZIP of everything about a seller. @throws ApiError */
export function exportSeller(id: string, reason: string): Promise<OperatorExport> {
  return callApi('POST', operatorPaths.sellerExport(id), operatorExportSchema, { body: { reason } });
}

/** Deletes an account, or plans that. @throws ApiError */
export function deleteSeller(id: string, body: OperatorDeletion): Promise<OperatorDeletionReply> {
  return callApi('POST', operatorPaths.sellerDeletion(id), operatorDeletionReplySchema, { body });
}

/** Keys of the queries about one seller. */
export const sellerKeys = {
  one: (id: string) => ['operator', 'seller', id] as const,
  stripe: (id: string) => ['operator', 'seller-stripe', id] as const,
  billing: (id: string) => ['operator', 'seller-billing', id] as const,
  ledger: (id: string) => ['operator', 'seller-ledger', id] as const,
};
