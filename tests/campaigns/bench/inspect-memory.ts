/** The memory of a Node process after a garbage collection, asked through its inspector. */
import { setTimeout as wait } from 'node:timers/promises';

interface InspectedMemory {
  /** Bytes of the JavaScript heap and of buffers outside of it that are in use. */
  used: number;
  /** Resident memory of the process in bytes. It may stay high after memory was freed. */
  resident: number;
}

/** A process whose memory can be asked. */
export interface InspectedProcess {
  /** Collects garbage, then measures. */
  memory(): Promise<InspectedMemory>;
  close(): void;
}

/**
 * Opens the inspector of a process, which was started with `--inspect-port`.
 * @param port that port
 */
export async function inspectProcess(pid: number, port: number): Promise<InspectedProcess> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await debuggerUrl(port));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const waiting = new Map<number, (result: { result?: { value?: unknown } }) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let sent = 0;
  const send = (method: string, params: object = {}) =>
    new Promise<{ result?: { value?: unknown } }>((resolve) => {
      sent += 1;
      waiting.set(sent, resolve);
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  return {
    async memory() {
      await send('HeapProfiler.collectGarbage');
      const { result } = await send('Runtime.evaluate', {
        expression: 'process.memoryUsage()',
        returnByValue: true,
      });
      const { heapUsed, external, rss } = result!.value as NodeJS.MemoryUsage;
      return { used: heapUsed + external, resident: rss };
    },
    close: () => socket.close(),
  };
}

/** The inspector listens a moment after the signal. @throws Error when it does not within five seconds */
async function debuggerUrl(port: number): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/json`).catch(() => undefined);
    if (answer?.ok) {
      const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
      return target!.webSocketDebuggerUrl;
    }
    await wait(100);
  }
  throw new Error(`no inspector listens on port ${port}`);
}
