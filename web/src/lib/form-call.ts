import { useMutation } from '@tanstack/react-query';
import type { FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiError, type FailureCode, messageOf } from './api.ts';

interface FormCallOptions<Values extends FieldValues, Reply> {
  /** Refusals that are about one field, and which: they are shown there. */
  fields?: Partial<Record<FailureCode, Path<Values>>>;
  onDone: (reply: Reply, values: Values) => void;
  onFailed?: (error: Error) => void;
  /** Called instead of the API where the form's own check finds something. */
  onInvalid?: (errors: FieldErrors<Values>) => void;
}

/**
 * Sends a form by one call of the API, one at a time.
 * @param call gets the values that the form's schema has read
 * @returns `problem`: the sentence for a refusal that is about no field, null without one
 */
export function useFormCall<Values extends FieldValues, Reply>(
  form: UseFormReturn<Values>,
  call: (values: Values) => Promise<Reply>,
  { fields = {}, onDone, onFailed, onInvalid }: FormCallOptions<Values, Reply>,
) {
  const fieldOf = (error: Error | null): Path<Values> | undefined => {
    if (!(error instanceof ApiError)) return undefined;
    const named = error.code === 'VALIDATION' ? error.field : undefined;
    if (named !== undefined && named in form.getValues()) return named as Path<Values>;
    return fields[error.code];
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: call,
    networkMode: 'always',
    onSuccess: onDone,
    onError: (failure) => {
      const field = fieldOf(failure);
      if (field) form.setError(field, { message: messageOf(failure) }, { shouldFocus: true });
      onFailed?.(failure);
    },
  });
  return {
    submit: form.handleSubmit((values) => {
      if (!isPending) mutate(values);
    }, onInvalid),
    isPending,
    error,
    problem: error !== null && fieldOf(error) === undefined ? messageOf(error) : null,
    clear: reset,
  };
}
