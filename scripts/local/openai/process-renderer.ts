/**
 * Renders in a process of its own, so that the server's event loop stays free, and so that native code can be given up in the
 * middle: that would end a process whose thread runs it. There is only one: the model uses all cores by itself, and a second
 * process would use 400 MB more to render 18 % more images.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { PhotoProblem } from '../../../shared/cutout/photo-problem.ts';
import { PhotoError, type Renderer, type RenderJob } from './renderer.ts';

/** A message to the process: a job, or the id of one whose image is no longer needed. */
export type RenderOrder = { id: number; job: RenderJob } | { cancelled: number };

/**
 * A message from the process. `failed` carries the error's message and, if a photo caused it, the problem with the photo,
 * because an error's class is lost between processes.
 */
export type RenderReport =
  | { id: number; kind: 'partial' | 'finished'; image: Uint8Array }
  | {
      id: number;
      kind: 'failed';
      message: string;
      photoProblem: PhotoProblem | undefined;
      photo?: number | undefined;
    };

interface Task {
  id: number;
  job: RenderJob;
  onPartial: (image: Buffer) => void;
  resolve: (image: Buffer) => void;
  reject: (reason: unknown) => void;
}

function errorOf({ message, photoProblem, photo }: Extract<RenderReport, { kind: 'failed' }>): Error {
  return photoProblem === undefined ? new Error(message) : new PhotoError(photoProblem, photo);
}

const strippedTypes = new URL('../../../shared/platform/stripped-types.mjs', import.meta.url).href;

/** After this time without an image the process ends, and its memory (about 300 MB) is free; in ms. */
const usualIdleMs = 240_000;

/**
 * Starts the process, which loads the model at once, so that the first request is fast.
 * @param args for the process: another model (shared/cutout/model-arguments.ts)
 * @param idleMs after this time without an image the process ends; the next image gets another one
 */
export function createProcessRenderer(args: readonly string[] = [], idleMs = usualIdleMs): Renderer {
  const waiting: Task[] = [];
  let current: Task | undefined;
  let nextId = 1;
  let renderer: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  const start = (): ChildProcess => {
    const child = fork(new URL('render-process.ts', import.meta.url), args, {
      // New objects of JavaScript get 2 MB instead of 16, which would fill with garbage; and types that were stripped before.
      execArgv: ['--max-semi-space-size=2', '--import', strippedTypes],
      // One arena: otherwise each native thread that decodes photos keeps its own. What the model frees goes back to the system.
      env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: String(2 ** 20) },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (report: RenderReport) => {
      if (current === undefined || report.id !== current.id) return;
      const task = current;
      if (report.kind === 'partial') {
        task.onPartial(Buffer.from(report.image));
        return;
      }
      current = undefined;
      if (report.kind === 'failed') task.reject(errorOf(report));
      else task.resolve(Buffer.from(report.image));
      handOut();
    });
    // A process that dies (out of memory, for example) loses its job; the next job gets a new process.
    const lose = (reason: Error) => {
      if (renderer !== child) return;
      renderer = undefined;
      current?.reject(reason);
      current = undefined;
      handOut();
    };
    child.on('error', lose);
    child.on('exit', (code, signal) => lose(new Error(`the renderer ended by ${signal ?? code}`)));
    return child;
  };

  const send = (order: RenderOrder): void => {
    renderer ??= start();
    // If the channel is closed, the process has ended, which rejects the job.
    renderer.send(order, () => {});
  };

  const handOut = (): void => {
    if (current !== undefined) return;
    current = waiting.shift();
    clearTimeout(idle);
    if (current !== undefined) send({ id: current.id, job: current.job });
    else if (renderer !== undefined) idle = setTimeout(endIdle, idleMs).unref();
  };

  const endIdle = (): void => {
    const ended = renderer;
    // At once, so that its end is no loss, and no job is given to it any more.
    renderer = undefined;
    ended?.kill('SIGKILL');
  };

  renderer = start();
  handOut();

  return {
    async render(job, onPartial, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const task: Task = {
        id: nextId++,
        job,
        onPartial: (image) => {
          if (!signal.aborted) onPartial(image);
        },
        resolve,
        reject,
      };
      const leave = (): void => {
        const place = waiting.indexOf(task);
        if (place >= 0) waiting.splice(place, 1);
        else if (current === task) send({ cancelled: task.id });
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(task);
      handOut();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
    async close() {
      clearTimeout(idle);
      const child = renderer;
      renderer = undefined;
      current?.reject(new Error('the renderer is closed'));
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
