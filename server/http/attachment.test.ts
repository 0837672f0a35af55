import { expect, test } from 'vitest';
import { attachment } from './attachment.ts';

test('a name cannot end the quotation marks around it', () => {
  expect(attachment('My "best" \\ mug é.png')).toBe(
    `attachment; filename="My _best_ _ mug _.png"; filename*=UTF-8''My%20%22best%22%20%5C%20mug%20%C3%A9.png`,
  );
});
