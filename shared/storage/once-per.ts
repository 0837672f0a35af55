/** Runs a task at most once per `pauseMs`. Calls in between get its latest result. */
export function oncePer<Value>(pauseMs: number, task: () => Promise<Value>): () => Promise<Value> {
  let latest: Promise<Value> | undefined;
  let until = 0;
  return () => {
    if (latest && Date.now() < until) return latest;
    // One at a time: a storage that does not answer would otherwise block a thread or a connection per call.
    until = Number.POSITIVE_INFINITY;
    const ended = () => {
      until = Date.now() + pauseMs;
    };
    latest = task();
    latest.then(ended, ended);
    return latest;
  };
}
