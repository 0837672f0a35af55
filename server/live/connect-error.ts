import { AppError } from '#shared/platform/errors.ts';

/** An error as Socket.IO sends it to a client that may not connect: `connect_error` with code and message in `data`. */
export function connectErrorOf(error: unknown): Error {
  // The message of any other error may name stores and hosts.
  const { code, message } = error instanceof AppError ? error : new AppError('UNAVAILABLE');
  return Object.assign(new Error(code), { data: { code, message } });
}
