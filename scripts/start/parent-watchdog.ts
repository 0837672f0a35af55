/**
 * Loaded into every process of a stack before its own code (`node --import`). Ends the process when the one that started
 * it is gone, even after SIGKILL: the IPC channel closes with the parent.
 */
import { isMainThread } from 'node:worker_threads';

/** Time to end by itself after its parent is gone, in ms; its stores end at the same moment. */
const terminationMs = 2_000;

function terminate(): void {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), terminationMs).unref();
}

// Threads load this as well: they take over the options of their process.
if (isMainThread) {
  process.once('disconnect', terminate);
  // The listener keeps the channel open; the channel must not keep a process alive that has nothing left to do.
  process.channel?.unref();
}
