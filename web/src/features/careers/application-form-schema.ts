import { z } from 'zod';
import { applicationSchema, cvExtensions, cvMessages, limits } from '#contract';

/** Why a file cannot be a CV; null if it can. The server decides by its content. */
export function cvProblem({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase();
  if (!(cvExtensions as readonly string[]).includes(extension)) {
    return cvMessages.type;
  }
  if (size === 0) return cvMessages.empty;
  if (size > limits.cvBytes) return cvMessages.tooLarge;
  return null;
}

/** What an applicant enters. */
export const applicationFormSchema = applicationSchema.omit({ position: true }).extend({
  cv: z.custom<File | null>().check(({ value, issues }) => {
    const message = value ? cvProblem(value) : cvMessages.missing;
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  }),
});
export type ApplicationValues = z.input<typeof applicationFormSchema>;
