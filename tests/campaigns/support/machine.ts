import { cpus } from 'node:os';

/** The line with which every report begins: Node and the processors. */
export const describeMachine = () =>
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
