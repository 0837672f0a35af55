/**
 * Loaded into every process of a stack before its own code (`node --import`). Ends the process when the one that started
 * it is gone, even after SIGKILL.
 *
 * The IPC channel closes with the parent. Under `node --watch` the parent is Node's watcher, which does not notice that
 * its own parent is gone; there the pipe on stdin, which the watcher passes on, closes instead.
 */

/** Time to end by itself after its parent is gone, in ms; its stores end at the same moment. */
const terminationMs = 2_000;

function terminate(): void {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), terminationMs).unref();
}

if (process.execArgv.includes('--watch-preserve-output')) {
  process.stdin.once('end', () => {
    process.kill(process.ppid, 'SIGTERM');
    terminate();
  });
  process.stdin.resume();
  process.stdin.unref();
} else {
  process.once('disconnect', terminate);
}
// The listener keeps the channel open; the channel must not keep a process alive that has nothing left to do.
process.channel?.unref();
