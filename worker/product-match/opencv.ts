import { createRequire } from 'node:module';
import type CV from '@techstark/opencv-js';

export type OpenCv = typeof CV;
export type Mat = CV.Mat;

let loading: Promise<{ cv: OpenCv }> | undefined;

/** Loads OpenCV, once in a process: 0.2 s and 120 MB. */
export function loadOpenCv(): Promise<{ cv: OpenCv }> {
  loading ??= load();
  return loading;
}

function load(): Promise<{ cv: OpenCv }> {
  const cv: OpenCv = createRequire(import.meta.url)('@techstark/opencv-js');
  return new Promise((resolve) => {
    // In an object, because the library has a method `then` that never stops answering with the library.
    const done = () => resolve({ cv });
    if ('Mat' in cv) done();
    else Object.assign(cv, { onRuntimeInitialized: done });
  });
}

/** Deletes what was created through it: memory of OpenCV is not collected. */
export class Scope {
  readonly #created: { delete(): void }[] = [];

  /** @returns the same object, which {@link end} deletes */
  add<Created extends { delete(): void }>(created: Created): Created {
    this.#created.push(created);
    return created;
  }

  end(): void {
    for (const created of this.#created.toReversed()) created.delete();
    this.#created.length = 0;
  }
}
