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

/** How many letters are to be added, removed, replaced or exchanged with the next one (Damerau and Levenshtein). */
function editsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        rows[row - 1]![column]! + 1,
        current[column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        least = Math.min(least, rows[row - 2]![column - 2]! + 1);
      }
      current.push(least);
    }
    rows.push(current);
  }
  return rows[one.length]![other.length]!;
}
