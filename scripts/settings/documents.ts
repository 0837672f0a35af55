/** `docs/settings.md` and `.env.example`, as the schema of the settings has them. */
import { testSettings } from '#scripts/test/given-stores.ts';
import { type SettingName, settingGroups } from '#shared/platform/settings.ts';
import { isRequired, type SettingShape, shapeOf } from './shape.ts';

const introduction = `# Settings

Settings come from the environment or from a file \`.env\` ([.env.example](../.env.example) has all of them). \`npm start\` provides
those that are required. Server and worker check all of them when they start, and name each one that is wrong; neither needs
the secrets of the other.

\`node scripts/settings/main.ts\` writes this page and \`.env.example\` from the schema (\`shared/platform/settings.ts\`), and finds
out from the source who reads what. "scripts" are commands in \`scripts/\`. Tests compare both with the schema.
`;

const aboutTests = `## Tests

Tests use the stores of \`TEST_MONGODB_URL\` and \`TEST_QUEUE_URL\` if set, else containers if a container engine is running, else the
stand-ins. The output says which. The tests on S3 use the bucket of \`TEST_S3_URL\`, else a container, else
\`../shared/tools/s3-server\`, which Go builds; without any of them what needs a bucket is skipped.
`;

/** @param readersOf who reads a setting */
export function settingsPage(readersOf: (name: SettingName) => readonly string[]): string {
  const groups = Object.entries(settingGroups).map(([title, group]) => {
    const rows = (Object.keys(group) as SettingName[]).map((name) => {
      const shape = shapeOf(name);
      return row([
        `\`${name}\``,
        shape.description + linkTo(shape.see),
        shape.unit ?? '',
        valuesOf(shape),
        defaultCell(name, shape),
        readersOf(name).join(', '),
      ]);
    });
    const head = [
      row(['Setting', 'Meaning', 'Unit', 'Values', 'Default', 'Read by']),
      row(Array(6).fill('---')),
    ];
    return `## ${title}\n\n${[...head, ...rows].join('\n')}\n`;
  });
  const tests = Object.entries(testSettings).map(([name, about]) =>
    row([`\`${name}\``, about.description, 'default' in about ? `\`${about.default}\`` : '']),
  );
  const testTable = [row(['Setting', 'Meaning', 'Default']), row(Array(3).fill('---')), ...tests].join('\n');
  return [introduction, ...groups, `${aboutTests}\n${testTable}\n`].join('\n');
}

const row = (cells: readonly string[]) => `|${cells.map((cell) => ` ${cell}${cell && ' '}|`).join('')}`;

/** A link to a document of `docs/`, where the page is. */
function linkTo(document: string | undefined): string {
  if (document === undefined) return '';
  const path = document.replace('docs/', '');
  const decision = /^decisions\/0*(\d+)-/.exec(path)?.[1];
  return ` See [${decision === undefined ? path.replace(/\.md.*/, '') : `decision ${decision}`}](${path}).`;
}

/** What a setting takes: its choices, or its bounds. */
function valuesOf({ type, enum: choices, ...bounds }: SettingShape): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ');
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'string' || type === undefined) return '';
  const { minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER } = bounds;
  if (exclusiveMinimum !== undefined) return `more than ${exclusiveMinimum}`;
  return maximum < Number.MAX_SAFE_INTEGER ? `${minimum} to ${maximum}` : `${minimum} or more`;
}

function defaultCell(name: SettingName, { default: fallback, without }: SettingShape): string {
  if (fallback !== undefined) return `\`${fallback}\``;
  return without ?? (isRequired(name) ? 'required' : 'none');
}

/** @returns the file with every setting as a comment: its meaning, and its default */
export function environmentExample(): string {
  const groups = Object.entries(settingGroups).map(([title, group]) => {
    const settings = (Object.keys(group) as SettingName[]).map((name) => {
      const shape = shapeOf(name);
      const { description, default: fallback = '', see } = shape;
      const about = [
        description,
        valuesInWords(shape),
        shape.without === undefined ? '' : `Without it: ${shape.without}.`,
        see === undefined ? '' : `See ${see}`,
      ];
      return entry(name, about.filter(Boolean).join(' '), `${fallback}`);
    });
    return [heading(title), ...settings].join('\n');
  });
  const tests = Object.entries(testSettings).map(([name, about]) =>
    entry(name, about.description, 'default' in about ? about.default : ''),
  );
  return `${[
    comment(
      'Settings of Packshot, as docs/settings.md has them. Copy to .env and uncomment what you need; `npm start` provides what is required. Each line shows the default.',
    ),
    ...groups,
    [heading('Tests (`npm test`)'), ...tests].join('\n'),
  ].join('\n\n')}\n`;
}

/** Such as "In ms, 1 or more." */
function valuesInWords(shape: SettingShape): string {
  const values = valuesOf(shape);
  if (shape.unit !== undefined) return `In ${shape.unit}, ${values}.`;
  return values === '' ? '' : `Takes ${values}.`;
}

const lineLength = 120;

const heading = (title: string) => `# --- ${title} `.padEnd(lineLength, '-');

const entry = (name: string, about: string, value: string) =>
  `${comment(about.replaceAll('`', ''))}\n#${name}=${value}`;

/** A text as lines of a comment. */
function comment(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line.length + word.length + 3 > lineLength) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `# ${line}`).join('\n');
}
