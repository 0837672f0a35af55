import { expect, test, vi } from 'vitest';
import type { CheckedPhoto } from '#contract';
import { limitMs } from '#tests/support/machine.ts';
import { createPhotoChecks } from './photo-checks.ts';

const filesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => new File(['photo'], `${index}.jpg`));

/** A server that answers when it is told to, and says how many it was asked at once. */
function slowServer(answers: (index: number) => CheckedPhoto | null) {
  let [calls, running, most] = [0, 0, 0];
  const ask = async () => {
    const index = calls;
    calls += 1;
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return answers(index);
  };
  return { ask, state: () => ({ calls, most }) };
}

const inspect = async (file: File) => ({
  warnings: file.name === '1.jpg' ? (['blurry'] as const) : [],
  copy: 'copy',
});

test('two hundred photos are checked once each, and at most two of them on the server at once', async () => {
  const server = slowServer((index) => ({
    checked: true,
    warnings: index === 1 ? ['held'] : [],
    cutout: null,
  }));
  const found: string[] = [];
  const checks = createPhotoChecks({ inspect, ask: server.ask }, (file, warnings) =>
    found.push(`${file.name} ${warnings.join()}`),
  );
  const files = filesOf(200);
  checks.add(files);
  checks.add(files);
  await vi.waitFor(() => expect(server.state().calls).toBe(200), { timeout: limitMs(5_000) });
  expect(server.state().most).toBeLessThanOrEqual(2);
  expect(found).toEqual(['1.jpg blurry', '1.jpg blurry,held']);
});

test.for([[{ checked: false, warnings: [], cutout: null }], [null]])(
  'a server that answers %j is not asked again, and photos are still checked here',
  async ([answer]) => {
    const server = slowServer((index) =>
      index < 3 ? { checked: true, warnings: [], cutout: null } : answer!,
    );
    const inspected: string[] = [];
    const checks = createPhotoChecks(
      {
        inspect: (file) => {
          inspected.push(file.name);
          return inspect(file);
        },
        ask: server.ask,
      },
      () => {},
    );
    checks.add(filesOf(50));
    await vi.waitFor(() => expect(inspected).toHaveLength(50), { timeout: limitMs(5_000) });
    expect(server.state().calls).toBeLessThanOrEqual(5);
  },
);

test('a photo that cannot be opened here, and one that stops the check, hold nothing up', async () => {
  const server = slowServer(() => ({ checked: true, warnings: [], cutout: null }));
  const checks = createPhotoChecks(
    {
      inspect: async (file) => {
        if (file.name === '0.jpg') throw new Error('damaged');
        return file.name === '1.jpg' ? null : { warnings: [], copy: 'copy' };
      },
      ask: server.ask,
    },
    () => {},
  );
  checks.add(filesOf(4));
  await vi.waitFor(() => expect(server.state().calls).toBe(2), { timeout: limitMs(5_000) });
  checks.close();
  checks.add(filesOf(5));
  await Promise.resolve();
  expect(server.state().calls).toBe(2);
});
