import {
  type ApiKeyList,
  apiKeyListSchema,
  apiKeyPaths,
  type CreateApiKey,
  type CreatedApiKey,
  createdApiKeySchema,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The seller's API keys. @throws ApiError */
export function listApiKeys(signal?: AbortSignal): Promise<ApiKeyList> {
  return callApi('GET', apiKeyPaths.apiKeys, apiKeyListSchema, { signal });
}

/** Makes an API key. @throws ApiError; API_KEY_LIMIT */
export function createApiKey(body: CreateApiKey): Promise<CreatedApiKey> {
  return callApi('POST', apiKeyPaths.apiKeys, createdApiKeySchema, { body });
}

/** Revokes an API key. @throws ApiError */
export function revokeApiKey(id: string): Promise<void> {
  return callApi('DELETE', apiKeyPaths.apiKey(id), {
    status: 204,
    check: 'Reload this page to see whether the key is still there.',
  });
}
