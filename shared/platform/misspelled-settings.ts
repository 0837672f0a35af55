import { editsBetween } from '#shared/contract/edits-between.ts';
import { composeVariables, isOfService } from './known-variables.ts';

/** First words of settings with which nobody else begins a variable. */
const ownWords = [
  'ALERT',
  'BATCH',
  'KEEP',
  'METRICS',
  'MONGODB',
  'PROVIDER',
  'SEALING',
  'SMTP',
  'STORAGE',
  'STRIPE',
  'TRUSTED',
  'UPKEEP',
  'WORKER',
];

/** Of this many edits in a longer name it is a misspelling; a short one resembles too much else. */
const mostEdits = 2;
const shortName = 6;

/**
 * Finds variables that were probably meant as settings.
 * @param environment name and value of each variable
 * @param settings the names of all settings
 * @returns the name of each, and the setting that resembles it most
 */
export function misspelledSettings(
  environment: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): { name: string; meant: string }[] {
  const known = new Set<string>([...settings, ...composeVariables]);
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (value === '' || known.has(name) || isOfService(name, value)) return [];
    const meant = meantBy(name, settings);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function meantBy(name: string, settings: readonly string[]): string | undefined {
  // `npm_…` and the like, unless only its case is wrong.
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) {
    return name.includes('_') ? settings.find((setting) => setting === name.toUpperCase()) : undefined;
  }
  const nearest = (among: readonly string[]) =>
    among
      .map((setting) => ({ setting, edits: editsBetween(name, setting) }))
      .toSorted((one, other) => one.edits - other.edits)[0];
  const found = nearest(settings);
  if (found && found.edits <= (found.setting.length < shortName ? 1 : mostEdits)) {
    const isShort = found.setting.length < shortName;
    // PORT is no PORTS and no POST, but PROT.
    if (!isShort || sortedLetters(name) === sortedLetters(found.setting)) return found.setting;
  }
  const [word = ''] = name.split('_');
  if (!ownWords.includes(word) || word === name) return undefined;
  const ofWord = settings.filter((setting) => setting.startsWith(`${word}_`));
  // A word is missing: STRIPE_KEY for STRIPE_SECRET_KEY.
  const longer = ofWord.filter((setting) =>
    name.split('_').every((each) => setting.split('_').includes(each)),
  );
  return nearest(longer.length > 0 ? longer : ofWord)?.setting;
}

const sortedLetters = (text: string) => [...text].toSorted().join('');
