import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useMayBeSignedIn, useMe } from './session.ts';

/** Enters name and address of a signed-in seller into a form, unless something was entered there. */
export function useSenderPrefill<Values extends { name: string; email: string }>(
  form: UseFormReturn<Values>,
): void {
  const { data: me } = useMe({ enabled: useMayBeSignedIn() });
  // Both fields are of the form, whatever else it has.
  const fields = form as unknown as UseFormReturn<{ name: string; email: string }>;
  useEffect(() => {
    if (!me) return;
    if (fields.getValues('name') === '') fields.setValue('name', me.user.fullName);
    if (fields.getValues('email') === '') fields.setValue('email', me.user.email);
  }, [me, fields]);
}
