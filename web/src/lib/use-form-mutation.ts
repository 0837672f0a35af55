import { useMutation } from '@tanstack/react-query';
import type { BaseSyntheticEvent } from 'react';
import { flushSync } from 'react-dom';
import {
  type FieldError,
  type FieldErrors,
  type FieldValues,
  get,
  type Path,
  type PathValue,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form';
import { ApiError, type FailureCode, messageOf } from './api.ts';

interface FormMutationOptions<Values extends FieldValues, Reply> {
  /** The field of each error code that is shown at a field. */
  fields?: Partial<Record<FailureCode, Path<Values>>>;
  /** Shown for a reply without an error code, such as a proxy's error page. */
  withoutCode?: string;
  onSuccess: (reply: Reply, values: Values) => void;
  onError?: (error: Error) => void;
  /** Called instead of the API if the form's own validation fails. */
  onInvalid?: (errors: FieldErrors<Values>) => void;
}

/**
 * Submits a form through one API call, one at a time.
 * @param call receives the values as parsed by the form's schema
 * @returns `formError`: the message of an error that belongs to no field; null if there is none
 */
export function useFormMutation<Values extends FieldValues, Reply>(
  form: UseFormReturn<Values>,
  call: (values: Values) => Promise<Reply>,
  { fields = {}, withoutCode, onSuccess, onError, onInvalid }: FormMutationOptions<Values, Reply>,
) {
  const fieldOf = (error: Error | null): Path<Values> | undefined => {
    if (!(error instanceof ApiError)) return undefined;
    const named = error.code === 'VALIDATION' ? error.field : undefined;
    if (named !== undefined && named in form.getValues()) return named as Path<Values>;
    return fields[error.code];
  };
  const textOf = (error: Error) => {
    const hasCode = error instanceof ApiError && error.code !== 'UNREADABLE';
    return hasCode ? error.message : (withoutCode ?? messageOf(error));
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: call,
    onSuccess,
    onError: (failure) => {
      const field = fieldOf(failure);
      if (field) form.setError(field, { message: messageOf(failure) }, { shouldFocus: true });
      onError?.(failure);
    },
  });
  const send = form.handleSubmit(
    (values) => mutate(values),
    (errors) => {
      reset();
      onInvalid?.(errors);
    },
  );
  return {
    submit: (event?: BaseSyntheticEvent) => {
      if (isPending) return event?.preventDefault();
      // The same error again is then a new element: it fades in, and screen readers announce it.
      flushSync(() => form.clearErrors());
      if (event?.target instanceof HTMLFormElement) takeFilledIn(form, event.target);
      void send(event);
    },
    isPending,
    error,
    formError: error !== null && fieldOf(error) === undefined ? textOf(error) : null,
    clearError: reset,
  };
}

/** Takes over what a password manager has filled in without an event. */
function takeFilledIn<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  element: HTMLFormElement,
): void {
  for (const [name, shown] of new FormData(element)) {
    const field = name as Path<Values>;
    const known: unknown = form.getValues(field);
    if (typeof known === 'string' && typeof shown === 'string' && known !== shown) {
      form.setValue(field, shown as PathValue<Values, Path<Values>>);
    }
  }
}

/** What the input of a field gets of its form. */
export type RegisteredField = UseFormRegisterReturn & { error: string | undefined };

/** The props with which a field of a form is registered, with its error. */
export function registerField<Values extends FieldValues, Context, Output>(
  form: UseFormReturn<Values, Context, Output>,
  name: Path<Values>,
): RegisteredField {
  const fault = get(form.formState.errors, name) as FieldError | undefined;
  return { ...form.register(name), error: fault?.message };
}
