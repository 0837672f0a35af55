import { z } from 'zod';
import { limits } from './limits.ts';

interface PasswordRule {
  /** As the list beside a field for a new password has it. */
  label: string;
  /** What is said of a password that breaks it. */
  message: string;
  met: (password: string) => boolean;
}

/** The four criteria of the strength meter, in the order they are shown. */
export const passwordCriteria: readonly PasswordRule[] = [
  {
    label: `At least ${limits.passwordCharacters} characters`,
    message: `Please use at least ${limits.passwordCharacters} characters`,
    met: (password) => password.length >= limits.passwordCharacters,
  },
  {
    label: 'An uppercase letter',
    message: 'Please add an uppercase letter',
    met: (password) => /\p{Lu}/u.test(password),
  },
  { label: 'A number', message: 'Please add a number', met: (password) => /\d/.test(password) },
  {
    label: 'A special character',
    message: 'Please add a special character, such as !',
    met: (password) => /[^\p{L}\p{N}]/u.test(password),
  },
];

/** Every rule that is listed: the meter does not count the last one (docs/product.md). */
export const passwordRules: readonly PasswordRule[] = [
  ...passwordCriteria,
  {
    label: 'A lowercase letter',
    message: 'Please add a lowercase letter',
    met: (password) => /\p{Ll}/u.test(password),
  },
];

const tooLong = `Please use at most ${limits.passwordCharactersMost} characters`;

/** What the specification says at sign-up of each of `passwordRules`. */
const weak = 'Password does not meet security requirements';

/** @param messageOf what is said of a password that breaks a rule */
function passwordSchemaWith(messageOf: (rule: PasswordRule) => string) {
  return z
    .string({ error: messageOf(passwordRules[0]!) })
    .max(limits.passwordCharactersMost, { error: tooLong })
    .superRefine((password, context) => {
      for (const rule of passwordRules) {
        if (!rule.met(password)) context.addIssue({ code: 'custom', message: messageOf(rule) });
      }
    });
}

/** A new password of an account, with a message for each rule that it breaks. */
export const newPasswordSchema = passwordSchemaWith(({ message }) => message);

/** The password of a sign-up. */
export const signUpPasswordSchema = passwordSchemaWith(() => weak);

/** The rules for programs that make passwords: an attribute of fields (Apple, "Customizing Password AutoFill Rules"). */
export const passwordRulesAttribute = [
  `minlength: ${limits.passwordCharacters}`,
  `maxlength: ${limits.passwordCharactersMost}`,
  ...['lower', 'upper', 'digit', 'special'].map((kind) => `required: ${kind}`),
].join('; ');
