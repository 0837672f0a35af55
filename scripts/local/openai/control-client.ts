/** Typed client of the control endpoint, for tests and benchmarks. */
import type { Behaviour, ControlSettings, ControlState, WaitCondition } from './control.ts';

export type { Behaviour, ControlSettings };

/** Controls one image server that was started with `control: true`. */
export interface ImageServerControlClient {
  /** Sets the behaviour of the next calls (`behaviours`), or of all others (`default`). */
  set(settings: ControlSettings): Promise<ControlState>;
  /** Releases held calls. */
  release(): Promise<ControlState>;
  /** The calls so far, and how many are active and waiting. */
  state(): Promise<ControlState>;
  /** Resolves when this many calls are active, waiting or received; has no timeout of its own. */
  waitFor(condition: WaitCondition, signal?: AbortSignal): Promise<ControlState>;
  /** Clears behaviours and recorded calls, and releases held calls. */
  reset(): Promise<ControlState>;
}

/**
 * Creates a client.
 * @param controlUrl the `controlUrl` of `startImageServer`
 */
export function createImageServerControl(controlUrl: string): ImageServerControlClient {
  const request = async (path: string, init?: RequestInit): Promise<ControlState> => {
    const response = await fetch(`${controlUrl}${path}`, init);
    if (!response.ok) {
      throw new Error(`the image server's control answered ${response.status}: ${await response.text()}`);
    }
    return (await response.json()) as ControlState;
  };
  const post = (path: string, body: object = {}) =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    set: (settings) => post('', settings),
    release: () => post('/release'),
    state: () => request(''),
    waitFor: (condition, signal) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(condition)) {
        if (value !== undefined) query.set(name, String(value));
      }
      return request(`/wait?${query}`, signal === undefined ? {} : { signal });
    },
    reset: () => post('/reset'),
  };
}
