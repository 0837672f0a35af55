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
  operatorPaths,
  operatorPhotosSchema,
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
  return callApi('GET', `${operatorPaths.generations}?${query}`, operatorGenerationListSchema, { signal });
}

/** A generation with its whole life. @throws ApiError */
export function fetchGeneration(id: string, signal: AbortSignal): Promise<OperatorGenerationView> {
  return callApi('GET', operatorPaths.generation(id), operatorGenerationViewSchema, { signal });
}

/** Retries, cancels or releases a generation. @throws ApiError; GENERATION_CHANGED if it has changed since */
export function actOnGeneration(
  id: string,
  action: OperatorGenerationAction,
  body: OperatorGenerationActionBody,
): Promise<OperatorGenerationReply> {
  return callApi('POST', operatorPaths.generationAction(id, action), operatorGenerationReplySchema, { body });
}

/** Shows the files of a generation for some minutes. @throws ApiError */
export function showPhotos(id: string, reason: string): Promise<OperatorPhotos> {
  return callApi('POST', operatorPaths.photos(id), operatorPhotosSchema, { body: { reason } });
}
