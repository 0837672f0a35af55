/** The thread that loops over pixels. It loads no native code (tests/repository/native-threads.test.ts). */
import { parentPort } from 'node:worker_threads';
import type { PixelReport, PixelTask } from './pixels.ts';
import { defectOf, putBack, reducedPhoto } from './result-checks.ts';

parentPort!.on('message', ({ id, task }: { id: number; task: PixelTask }) => {
  const outcome = run(task);
  const handedOver = task.name === 'put-back' ? [(outcome as Uint8Array<ArrayBuffer>).buffer] : [];
  parentPort!.postMessage({ id, outcome } satisfies PixelReport, handedOver);
});

function run(task: PixelTask): PixelReport['outcome'] {
  switch (task.name) {
    case 'reduce':
      return reducedPhoto(task.photo, task.image);
    case 'defect':
      return defectOf(task.image, task.inputs);
    case 'put-back':
      return putBack(task.before, task.after, task.area);
  }
}
