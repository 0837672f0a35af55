/** Limits of what servers hold and wait for at the same time. Not part of `limits`, which every page loads. */
export const serverLimits = {
  /** Memory in bytes for all photos that a server decodes at the same time. */
  decodeBytes: 512 * 1024 * 1024,
  /** How many photos may wait for it; how many jobs with our own images may wait, in all and of a seller; and for how long. */
  decodesWaiting: 40,
  imageJobsWaiting: 400,
  imageJobsWaitingOfSeller: 200,
  decodeWaitSeconds: 30,
  /** Processor time for decoding one photo, and elapsed time, which is longer on a busy machine. */
  decodeProcessorSeconds: 20,
  decodeSeconds: 60,
  /** Uploads in line per seller and in all, and how long one waits in seconds. */
  uploadsInLineOfSeller: 250,
  uploadsInLine: 1_000,
  uploadLineSeconds: 30,
  /** Downloads that are made while they are read (exports, archives): at a time, and in line, as for uploads. */
  downloadsOfSeller: 3,
  downloads: 60,
  downloadsInLineOfSeller: 20,
  downloadsInLine: 400,
  downloadLineSeconds: 30,
  /** Event streams of programs that are open at the same time. */
  eventStreamsOfSeller: 10,
  eventStreams: 1_000,
  /** How long the headers of a request may take to arrive, in seconds. */
  headersSeconds: 30,
  /**
   * Seconds that a body may take, plus one second per `bodyBytesPerSecond` that has arrived, and the maximum of both: a form of
   * four large photos on a slow line, while its bytes arrive.
   */
  bodySeconds: 60,
  bodyBytesPerSecond: 20_000,
  bodySecondsMost: 4_500,
  /** The same for the rest of a body that was already answered. */
  bodyAfterAnswerSeconds: 10,
  bodyAfterAnswerBytesPerSecond: 100_000,
  /**
   * Seconds that a reply may wait for its client to read it: in a row, and in all with one second more per `replyBytesPerSecond`
   * that were read.
   */
  replySeconds: 120,
  replyBytesPerSecond: 10_000,
} as const;
