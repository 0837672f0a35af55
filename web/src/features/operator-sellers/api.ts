import {
  type CreditEntryList,
  creditEntryListSchema,
  type OperatorBilling,
  type OperatorDailyLimit,
  type OperatorDeletion,
  type OperatorDeletionReply,
  type OperatorExport,
  type OperatorImages,
  type OperatorNoteList,
  type OperatorRefusalDays,
  type OperatorRefusedSellers,
  type OperatorSellerAction,
  type OperatorSellerActionBody,
  type OperatorSellerList,
  type OperatorSellerRefusals,
  type OperatorSellerView,
  type OperatorStripePlan,
  operatorBillingSchema,
  operatorDeletionReplySchema,
  operatorExportSchema,
  operatorNoteListSchema,
  operatorPaths,
  operatorRefusedSellersSchema,
  operatorSellerListSchema,
  operatorSellerRefusalsSchema,
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

/** Gives a seller a daily limit. @throws ApiError */
export function setDailyLimit(id: string, body: OperatorDailyLimit): Promise<OperatorSellerView> {
  return callApi('PUT', operatorPaths.sellerDailyLimit(id), operatorSellerViewSchema, { body });
}

/** What moderation refused of a seller. @throws ApiError */
export function fetchRefusals(id: string, signal: AbortSignal): Promise<OperatorSellerRefusals> {
  return callApi('GET', operatorPaths.sellerRefusals(id), operatorSellerRefusalsSchema, { signal });
}

/** The sellers whose images moderation refused most often. @throws ApiError */
export function fetchRefusedSellers(
  days: OperatorRefusalDays,
  signal: AbortSignal,
): Promise<OperatorRefusedSellers> {
  const path = `${operatorPaths.refusals}?${new URLSearchParams({ days })}`;
  return callApi('GET', path, operatorRefusedSellersSchema, { signal });
}

/** The notes on a seller. @throws ApiError */
export function listNotes(id: string, signal: AbortSignal): Promise<OperatorNoteList> {
  return callApi('GET', operatorPaths.sellerNotes(id), operatorNoteListSchema, { signal });
}

/** Adds a note on a seller. @throws ApiError */
export function addNote(id: string, text: string): Promise<OperatorNoteList> {
  return callApi('POST', operatorPaths.sellerNotes(id), operatorNoteListSchema, { body: { text } });
}

/** Keys of the queries about one seller. */
export const sellerKeys = {
  one: (id: string) => ['operator', 'seller', id] as const,
  stripe: (id: string) => ['operator', 'seller-stripe', id] as const,
  billing: (id: string) => ['operator', 'seller-billing', id] as const,
  ledger: (id: string) => ['operator', 'seller-ledger', id] as const,
  refusals: (id: string) => ['operator', 'seller-refusals', id] as const,
  notes: (id: string) => ['operator', 'seller-notes', id] as const,
};
