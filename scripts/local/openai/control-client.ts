/** The typed client of the image server's control endpoint, for tests and benchmarks. */
import type { Behaviour, ControlSettings } from './behaviour.ts';
import type { ControlState, RecordedCall, WaitCondition } from './control.ts';

export type { Behaviour, ControlSettings, ControlState, RecordedCall, WaitCondition };

/** Speaks to one image server started with `control: true`. */
export interface ImageServerControlClient {
  /** Sets what the next calls do (`behaviours`), or what all others do (`default`). */
  set(settings: ControlSettings): Promise<ControlState>;
  /** Lets held calls go on. */
  release(): Promise<ControlState>;
  /** The calls seen, and how many are active and waiting. */
  state(): Promise<ControlState>;
  /** Resolves when so many calls are active, waiting or received; never by itself otherwise. */
  waitFor(condition: WaitCondition, signal?: AbortSignal): Promise<ControlState>;
  /** Forgets behaviours and calls, and lets held calls go on. */
  reset(): Promise<ControlState>;
}

/**
 * Makes a client.
 * @param controlUrl the `controlUrl` of `startImageServer`
 */
export function createImageServerControl(controlUrl: string): ImageServerControlClient {
  const ask = async (path: string, init?: RequestInit): Promise<ControlState> => {
    const response = await fetch(`${controlUrl}${path}`, init);
    if (!response.ok) {
      throw new Error(`the image server's control answered ${response.status}: ${await response.text()}`);
    }
    return (await response.json()) as ControlState;
  };
  const post = (path: string, body: object = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    set: (settings) => post('', settings),
    release: () => post('/release'),
    state: () => ask(''),
    waitFor: (condition, signal) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(condition)) {
        if (value !== undefined) query.set(name, String(value));
      }
      return ask(`/wait?${query}`, signal === undefined ? {} : { signal });
    },
    reset: () => post('/reset'),
  };
}
