import { expect, test } from 'vitest';
import { webhookBody } from './alert-message.ts';

const at = new Date('2026-11-24T00:10:00Z');

test.each([
  ['An image has been waiting for 12 min.', 'An image has been waiting for 12 min.'],
  ['1 mail waits: 451 come back later', '1 mail waits: 451 come back later.'],
])('chat services show %j as a sentence of its own', (details, sentence) => {
  const news = { id: 'x', alert: 'mails-failing', event: 'began', at, since: at, details } as const;
  const body = JSON.parse(webhookBody(news, 'https://packshot.example')) as { text: string; details: string };
  expect(body.text).toBe(
    `Alert: Mails are not accepted. ${sentence} What to do: docs/runbook.md#mails-failing (https://packshot.example)`,
  );
  expect(body.details).toBe(details);
});
