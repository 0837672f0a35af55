import type { QueryClient } from '@tanstack/react-query';
import {
  type ActivityList,
  activityListSchema,
  type BeginTwoFactor,
  type ChangePassword,
  type FactorList,
  type Me,
  type PasskeyView,
  type PasswordAndCode,
  passkeyViewSchema,
  paths,
  type RecoveryCodes,
  recoveryCodesSchema,
  type SessionList,
  sessionListSchema,
  type TwoFactorSetup,
  twoFactorSetupSchema,
} from '#contract';
import { callApi } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';

/** Changes the password, and ends the seller's other sessions. @throws ApiError */
export function changePassword(body: ChangePassword): Promise<void> {
  return callApi(
    'POST',
    paths.password,
    { status: 204, check: 'Sign out and in again to see which password is yours.' },
    { body },
  );
}

/** Starts to add an authenticator app. @returns the key for the authenticator app @throws ApiError */
export function setUpTwoFactor(body: BeginTwoFactor): Promise<TwoFactorSetup> {
  return callApi('POST', paths.twoFactor, twoFactorSetupSchema, { body });
}

/** Turns two-factor sign-in on with the app's first code. @throws ApiError; CODE_INVALID */
export function confirmTwoFactor(code: string): Promise<RecoveryCodes> {
  return callApi('POST', paths.confirmTwoFactor, recoveryCodesSchema, { body: { code } });
}

/** Turns two-factor sign-in off. @throws ApiError */
export function disableTwoFactor(body: PasswordAndCode): Promise<void> {
  return callApi(
    'DELETE',
    paths.twoFactor,
    { status: 204, check: 'Reload this page to see whether two-factor sign-in is off.' },
    { body },
  );
}

/** Creates new recovery codes; the old ones stop working. @throws ApiError */
export function createRecoveryCodes(body: PasswordAndCode): Promise<RecoveryCodes> {
  return callApi('POST', paths.recoveryCodes, recoveryCodesSchema, { body });
}

/** Gives a passkey another name. @throws ApiError */
export function renamePasskey(id: string, name: string): Promise<PasskeyView> {
  return callApi('PATCH', paths.passkey(id), passkeyViewSchema, { body: { name } });
}

/** Removes a passkey. @throws ApiError */
export function removePasskey(id: string, body: PasswordAndCode): Promise<void> {
  return callApi(
    'DELETE',
    paths.passkey(id),
    { status: 204, check: 'Reload this page to see whether the passkey is still there.' },
    { body },
  );
}

/** Updates the cached account after two-factor sign-in was turned on or off. */
function cacheTwoFactor(client: QueryClient, enabled: boolean): void {
  client.setQueryData<Me | null>(
    queryKeys.me,
    (me) => me && { ...me, user: { ...me.user, twoFactorEnabled: enabled } },
  );
  client.invalidateQueries({ queryKey: queryKeys.activity });
  client.invalidateQueries({ queryKey: queryKeys.sessions });
}

/**
 * The same after a passkey or an authenticator app was added or removed, which may leave two-factor sign-in as it was.
 * @param app whether there is an app now, if that has changed
 */
export function cacheFactors(client: QueryClient, enabled: boolean, app?: boolean): void {
  cacheTwoFactor(client, enabled);
  if (app !== undefined) {
    client.setQueryData<FactorList>(queryKeys.factors, (factors) => factors && { ...factors, app });
  }
  client.invalidateQueries({ queryKey: queryKeys.factors });
  client.invalidateQueries({ queryKey: queryKeys.sessions });
}

/** The seller's sessions. @throws ApiError */
export function listSessions(signal?: AbortSignal): Promise<SessionList> {
  return callApi('GET', paths.sessions, sessionListSchema, { signal });
}

/** Ends one of the seller's sessions. @throws ApiError */
export function endOneSession(id: string): Promise<void> {
  return callApi('DELETE', paths.oneSession(id), {
    status: 204,
    check: 'Reload this page to see where you are signed in.',
  });
}

/** Ends all of the seller's sessions, including this one. @throws ApiError */
export function endAllSessions(): Promise<void> {
  return callApi('DELETE', paths.sessions, {
    status: 204,
    check: 'Reload this page to see where you are signed in.',
  });
}

/** The account's activity log, newest first. @throws ApiError */
export function listActivity(signal?: AbortSignal): Promise<ActivityList> {
  return callApi('GET', paths.activity, activityListSchema, { signal });
}
