import { expect, test } from 'vitest';
import { replacedFile } from '../replace-source.ts';
import { guards } from './all.ts';

const replacing = guards.filter(({ replacements }) => replacements.length > 0);

test.each(replacing.map((guard) => [guard.name, guard] as const))('%s can be removed', (_name, guard) => {
  for (const own of Map.groupBy(guard.replacements, ({ file }) => file).values()) {
    const text = replacedFile(own);
    for (const { by } of own) expect(text).toContain(by);
  }
});
