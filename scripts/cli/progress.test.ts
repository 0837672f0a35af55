import { expect, test } from 'vitest';
import { sampleGeneration } from '#tests/support/samples.ts';
import { describe as describeView, startProgress } from './progress.ts';

const queued = sampleGeneration({ position: 3 });
const drawing = sampleGeneration({
  state: 'running',
  progress: { stage: 'drawing', waitingFor: null, previews: 1, previewsExpected: 2, attempt: 2 },
});

test('says what is known of each state', () => {
  expect(describeView([queued])).toBe('number 3 in the queue');
  expect(describeView([drawing])).toBe('drawing, preview 1 of 2 (try 2)');
  const failed = {
    ...queued,
    state: 'failed',
    failure: { code: 'TIMED_OUT', message: 'Too long.', help: null, requestId: null },
  } as const;
  expect(describeView([failed])).toBe('failed: Too long.');
});

test('numbers the takes of a set', () => {
  expect(describeView([{ ...queued, state: 'succeeded' }, drawing, queued])).toBe(
    '1: the image is ready · 2: drawing, preview 1 of 2 (try 2) · 3: number 3 in the queue',
  );
});

test('writes one line a change where nothing can be written over', () => {
  let clock = 0;
  const written: string[] = [];
  const display = startProgress({ write: (text) => written.push(text) }, () => clock);
  display.show([queued]);
  display.show([{ ...queued }]);
  clock = 1_250;
  display.show([drawing]);
  display.end();
  expect(written).toEqual([
    '     0.0 s  number 3 in the queue\n',
    '     1.3 s  drawing, preview 1 of 2 (try 2)\n',
  ]);
});

test('keeps the finished line and counts on the next one in a terminal', () => {
  let clock = 0;
  let written = '';
  const output = {
    isTTY: true,
    write(text: string) {
      written += text;
    },
  };
  const display = startProgress(output, () => clock);
  display.show([queued]);
  clock = 2_000;
  display.show([drawing]);
  display.end();
  expect(written.replaceAll('\r\u001b[K', '<')).toBe(
    '<     0.0 s  number 3 in the queue<     2.0 s  number 3 in the queue\n<     2.0 s  drawing, preview 1 of 2 (try 2)\n',
  );
});
