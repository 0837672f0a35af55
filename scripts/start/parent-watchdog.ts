/**
 * Loaded into every process of a stack before its own code (`node --import`): when the process that started it is
 * gone, however that came, this one ends too.
 */

/** Time to end by itself after its parent is gone, in ms; its stores end at the same moment. */
const lastMs = 2_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), lastMs).unref();
});
// Listening keeps the channel open; it must not keep a process alive that has nothing left to do.
process.channel?.unref();
