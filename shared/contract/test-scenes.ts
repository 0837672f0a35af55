import type { ErrorCode, GenerationFailureCode } from './errors.ts';
import type { GenerationState } from './generation-states.ts';

/*
 * What test keys can make happen (docs/decisions/0139-a-sandbox-beside-what-is-real.md): a scene that begins with these words.
 * The document of the API and the guide list this table, and a test runs each line of it.
 */

/** What a request with a test scene comes to. */
type TestOutcome =
  /** The request is refused with this code, and nothing is made. */
  | { refused: ErrorCode }
  | {
      state: Extract<GenerationState, 'succeeded' | 'failed' | 'cancelled'>;
      /** Why it failed. */
      failure?: GenerationFailureCode;
      /** How many calls it takes; one unless given. */
      attempts?: number;
      /** Whether it is counted although it was cancelled. */
      imageUsed?: true;
      match?: 'low';
    };

interface TestScene {
  /** In words for those who write programs. */
  happens: string;
  outcome: TestOutcome;
}

const seconds = 30;

export const testScenes = {
  'test: no images left': {
    happens: 'the request is refused: the plan has no images left',
    outcome: { refused: 'NO_CREDITS' },
  },
  'test: no plan': {
    happens: 'the request is refused: the account has no plan',
    outcome: { refused: 'NO_SUBSCRIPTION' },
  },
  'test: daily limit': {
    happens: 'the request is refused until the next day, with `Retry-After`',
    outcome: { refused: 'DAILY_LIMIT' },
  },
  'test: rate limited': {
    happens: 'the request is refused for a second, with `Retry-After`',
    outcome: { refused: 'RATE_LIMITED' },
  },
  'test: maintenance': {
    happens: 'the request is refused for five minutes, with `Retry-After`',
    outcome: { refused: 'MAINTENANCE' },
  },
  'test: busy': {
    happens: 'the request is refused for a second, with `Retry-After`',
    outcome: { refused: 'UNAVAILABLE' },
  },
  'test: storage away': {
    happens: 'the request is refused: no photos can be stored',
    outcome: { refused: 'STORAGE_UNAVAILABLE' },
  },
  'test: blocked by safety': {
    happens: 'the scene is refused before anything is drawn',
    outcome: { state: 'failed', failure: 'CONTENT_REFUSED' },
  },
  'test: image blocked by safety': {
    happens: 'the image is refused after a preview',
    outcome: { state: 'failed', failure: 'CONTENT_REFUSED' },
  },
  'test: unreadable photo': {
    happens: 'the image service cannot use a photo',
    outcome: { state: 'failed', failure: 'PHOTOS_UNREADABLE' },
  },
  'test: provider error': {
    happens: 'the image service fails twice',
    outcome: { state: 'failed', failure: 'PROVIDER_ERROR', attempts: 2 },
  },
  'test: no image': {
    happens: 'the image service answers twice without an image',
    outcome: { state: 'failed', failure: 'NO_IMAGE_DATA', attempts: 2 },
  },
  'test: timeout': {
    happens: 'the image service takes too long',
    outcome: { state: 'failed', failure: 'TIMED_OUT' },
  },
  'test: provider busy': {
    happens: 'the image waits a second for the image service, and is made then',
    outcome: { state: 'succeeded' },
  },
  'test: provider away': {
    happens: 'the image waits for the image service, and fails after three seconds',
    outcome: { state: 'failed', failure: 'PROVIDER_BUSY' },
  },
  'test: worker lost': {
    happens: 'the process that makes the image is gone, and another one makes it',
    outcome: { state: 'succeeded', attempts: 2 },
  },
  'test: workers lost': {
    happens: 'so are all that try it',
    outcome: { state: 'failed', failure: 'GENERATION_FAILED' },
  },
  'test: plan ended': {
    happens: 'the plan has ended when its turn comes; the message says so',
    outcome: { state: 'failed', failure: 'GENERATION_FAILED' },
  },
  'test: too many stopped': {
    happens: 'too many images of the day were stopped when its turn comes; the message says so',
    outcome: { state: 'failed', failure: 'GENERATION_FAILED' },
  },
  'test: cancelled': {
    happens: 'somebody stops it before there is a preview, which is free',
    outcome: { state: 'cancelled' },
  },
  'test: cancelled after a preview': {
    happens: 'somebody stops it after that, which uses the image',
    outcome: { state: 'cancelled', imageUsed: true },
  },
  [`test: slow ${seconds} s`]: {
    happens: 'the image takes this long: any number of seconds up to 120',
    outcome: { state: 'succeeded' },
  },
  'test: low match': {
    happens: 'the image does not show the product well, and can be made again at no charge',
    outcome: { state: 'succeeded', match: 'low' },
  },
  'test: first image fails': {
    happens: 'of several images the first one fails',
    outcome: { state: 'failed', failure: 'PROVIDER_ERROR' },
  },
} satisfies Record<string, TestScene> as Readonly<Record<string, TestScene>>;

/** What a scene of a test key asks for. */
export interface AskedTest {
  /** The line of the table; null for a scene without these words, which is made as usual. */
  name: string | null;
  /** How long the image takes, in seconds. */
  seconds: number;
}

/** How long a test image takes, in seconds. */
const usualSeconds = 0.8;
const longestSeconds = 120;

/** Finds out what a scene asks for. The longest words count; what follows them does not, nor does upper case. */
export function askedTest(scene: string): AskedTest {
  const text = scene.trim().toLowerCase().replace(/\s+/g, ' ');
  const [, slow] = /^test: slow (\d{1,3}) s\b/.exec(text) ?? [];
  if (slow !== undefined) {
    return { name: `test: slow ${seconds} s`, seconds: Math.min(longestSeconds, Math.max(1, Number(slow))) };
  }
  const [name = null] = Object.keys(testScenes)
    .filter((words) => text.startsWith(words))
    .toSorted((one, other) => other.length - one.length);
  return { name, seconds: usualSeconds };
}
