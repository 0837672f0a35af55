/**
 * The address of the account, for password managers: they keep a password under the user name that is in the same form. People
 * neither see it nor reach it.
 */
export function UsernameField({ email }: { email: string }) {
  return (
    <input
      type="email"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden
      className="sr-only"
    />
  );
}
