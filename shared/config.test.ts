import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';

const least = {
  MONGODB_URL: 'mongodb://127.0.0.1/packshot',
  QUEUE_URL: 'redis://127.0.0.1:6379',
  STORAGE_FOLDER: '/tmp/packshot',
  SESSION_SECRET: 'x'.repeat(32),
  OPENAI_API_KEY: 'sk-test',
};

function problemOf(given: Record<string, string>): string {
  try {
    loadConfig(given);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}

describe('loadConfig', () => {
  test('what has no default is enough, and the defaults are the seed’s', () => {
    const config = loadConfig(least);
    expect(config.image).toMatchObject({ timeoutMs: 600_000, attempts: 3, model: 'gpt-image-2.5-flare' });
    expect(config.publicUrl).toBeUndefined();
  });

  test('every missing setting is named in one line', () => {
    const problem = problemOf({});
    for (const name of Object.keys(least)) expect(problem).toContain(`${name} is not set`);
    expect(problem).not.toContain('\n');
  });

  test.for([
    ['QUEUE_URL', 'mysql://x'],
    ['MONGODB_URL', 'http://x'],
    ['SESSION_SECRET', 'short'],
    ['PORT', '70000'],
    ['PORT', 'eighty'],
    ['WORKER_CONCURRENCY', '0'],
    ['QUEUE_NAME', 'with:colon'],
    ['LOG_LEVEL', 'loud'],
    ['PROVIDER_STALL_MS', '300001'],
  ])('%s=%s is refused by name', ([name, value]) => {
    expect(problemOf({ ...least, [name!]: value! })).toContain(`${name}: `);
  });

  test('a secret is never part of the problem', () => {
    expect(problemOf({ ...least, SESSION_SECRET: 'hunter2', PORT: 'x' })).not.toContain('hunter2');
  });

  test('a public URL loses its last slash', () => {
    expect(loadConfig({ ...least, PUBLIC_URL: 'https://shop.example/' }).publicUrl).toBe(
      'https://shop.example',
    );
  });
});
