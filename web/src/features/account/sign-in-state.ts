import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import { sessionEndReasons } from '#web/lib/session.ts';

const signInStateSchema = z.object({
  /** The path to return to after the sign-in. */
  from: z.string().optional(),
  /** Why the last session ended; after a deletion, the goodbye page shows instead. */
  sessionEnd: z.enum(sessionEndReasons).exclude(['account-deleted']).optional(),
  /** What the seller has just done on the page that redirects. */
  done: z.enum(['password-set', 'email-restored']).optional(),
});

/** What a page passes along when it redirects to the sign-in page. */
export type SignInState = z.infer<typeof signInStateSchema>;

/** The state that the previous page passed along; empty if there is none. */
export function useSignInState(): SignInState {
  // The browser keeps the state across reloads and releases, so it may be of another version.
  return signInStateSchema.catch({}).parse(useLocation().state);
}
