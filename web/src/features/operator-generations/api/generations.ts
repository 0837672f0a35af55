import {
  type OperatorGenerationAction,
  type OperatorGenerationActionBody,
  type OperatorGenerationList,
  type OperatorGenerationReply,
  type OperatorGenerationView,
  type OperatorPhotos,
  operatorGenerationListSchema,
  operatorGenerationReplySchema,
  operatorGenerationViewSchema,
  operatorPhotosSchema,
  paths,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** A page of the generations that match a search, newest first. @param cursor null for the first page @throws ApiError */
export function searchGenerations(
  search: URLSearchParams,
  cursor: string | null,
  signal: AbortSignal,
): Promise<OperatorGenerationList> {
  const query = new URLSearchParams(search);
  if (cursor !== null) query.set('cursor', cursor);
  return callApi('GET', `${paths.operatorGenerations}?${query}`, operatorGenerationListSchema, { signal });
}

/** A generation with its whole life. @throws ApiError */
export function fetchGeneration(id: string, signal: AbortSignal): Promise<OperatorGenerationView> {
  return callApi('GET', paths.operatorGeneration(id), operatorGenerationViewSchema, { signal });
}

/** Retries, cancels or releases a generation. @throws ApiError; GENERATION_CHANGED if it has changed since */
export function actOnGeneration(
  id: string,
  action: OperatorGenerationAction,
  body: OperatorGenerationActionBody,
): Promise<OperatorGenerationReply> {
  return callApi('POST', paths.operatorGenerationAction(id, action), operatorGenerationReplySchema, { body });
}

/** Shows the files of a generation for some minutes. @throws ApiError */
export function showPhotos(id: string, reason: string): Promise<OperatorPhotos> {
  return callApi('POST', paths.operatorPhotos(id), operatorPhotosSchema, { body: { reason } });
}
