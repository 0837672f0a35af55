/** Every limit that a seller can meet, in one place: server, worker and web app read it from here. */
export const limits = {
  /** Product photos in one generation. */
  photos: 4,
  /** Size of one uploaded photo in bytes (20 MB). */
  photoBytes: 20 * 1024 * 1024,
  /** Pixels of one uploaded photo once it is unpacked. */
  photoPixels: 100_000_000,
  /**
   * Pixels of a photo that can only be unpacked whole: an interlaced PNG or a progressive JPEG; of 16 bits a channel half
   * as many. It is what phones call 50 megapixels. No camera writes either kind, so this bounds what is exported from its
   * photos, and what they take: at most 420 MB.
   */
  photoPixelsWhole: 8_192 * 6_144,
  /** Memory for the photos that a server unpacks at a time, in bytes. */
  decodeBytes: 512 * 1024 * 1024,
  /** Photos that wait for it at most, thumbnails that wait to be made, and for how long. */
  decodesWaiting: 40,
  thumbnailsWaiting: 400,
  decodeWaitSeconds: 30,
  /** Processor time for unpacking one photo, and time in all, on a machine that has other things to do. */
  decodeProcessorSeconds: 20,
  decodeSeconds: 60,
  /** Longest side in pixels of a photo as it is kept and sent to the provider. */
  photoSide: 2_048,
  /** Longest side in pixels of a thumbnail. */
  thumbnailSide: 480,
  /** Longest side in pixels of a preview: enough to judge an image by, too little to use it. */
  previewSide: 512,
  /** How long a browser keeps an image before it asks whether it is still the same, in seconds. */
  imageCacheSeconds: 300,
  /** Characters of a scene description. */
  promptCharacters: 4_000,
  productNameCharacters: 80,
  /** Text fields in one multipart form. */
  formFields: 16,
  /** Bytes of a multipart form besides its photos: fields, headers of parts, what stands before and behind the parts. */
  formBytes: 1024 * 1024,
  /** Headers of one part of a form: how many, and their bytes. */
  partHeaders: 32,
  partHeaderBytes: 16 * 1024,
  /** Uploads under way of one seller and of all, at one server; more wait in line. */
  uploadsOfSeller: 2,
  uploads: 20,
  /** Uploads in line of one seller and of all, and how long one waits in seconds. */
  uploadsInLineOfSeller: 250,
  uploadsInLine: 1_000,
  uploadLineSeconds: 30,
  /** How long the headers of a request may take to arrive, in seconds. */
  headersSeconds: 30,
  /** How long a body may take to arrive in seconds, on top one second for every so many bytes, and the most of both. */
  bodySeconds: 60,
  bodyBytesPerSecond: 100_000,
  bodySecondsMost: 900,
  /** The seconds on top of the rate for a body that was answered before all of it came. */
  bodyAfterAnswerSeconds: 10,
  /** Images made by one generation. */
  imagesPerGeneration: 1,
  /** Size of the finished image in pixels. */
  outputWidth: 1_024,
  outputHeight: 1_024,
  /** Generations in one page of the list. */
  pageSize: 24,
  pageSizeMost: 100,
  idempotencyKeyCharacters: 200,
  emailCharacters: 254,
  nameCharacters: 50,
  passwordCharacters: 8,
  passwordCharactersMost: 128,
  /** Sign-in attempts for one address in a window. */
  signInAttempts: 5,
  signInWindowSeconds: 60,
  /** Failures in a row after which a network, or a device that is known, is locked out of an account. */
  lockOutFailures: 10,
  /** Failures from all networks together after which all devices that are not known are locked out of it. */
  lockOutFailuresOfAll: 100,
  /** How long a lock lasts, and the time in which failures are counted. */
  lockOutMinutes: 60,
  /** Devices that an account knows, and for how long each is remembered after its last sign-in. */
  knownDevices: 50,
  knownDeviceDays: 365,
  /** Mails that one address may ask for in a window: verification, reset, unlock. */
  mailsAsked: 5,
  mailsWindowSeconds: 3_600,
  /**
   * Requests from one network (an IPv4 address, or 64 bits of IPv6) in a window, whoever they are from:
   * NETWORK_LIMIT_FACTOR multiplies them. A class or an office of some tens of people works behind one address; a flood
   * does not.
   */
  network: {
    /** An account and a mail each. */
    'sign-up': { requests: 40, seconds: 3_600 },
    /** Whatever a password or the link of a mail is tried with. */
    'sign-in': { requests: 100, seconds: 60 },
    /** Asking for a mail with a link. */
    'mail-link': { requests: 60, seconds: 3_600 },
    upload: { requests: 120, seconds: 60 },
    /** Pages and changes at Stripe. */
    billing: { requests: 60, seconds: 600 },
  },
  /** Life of a link in a mail. */
  verificationHours: 48,
  /** Days after which an account ends whose address nobody has verified. */
  unverifiedDays: 7,
  resetMinutes: 60,
  /** Days in which the old address can undo a change of the address; it is reserved for that long. */
  undoDays: 7,
  /** Tries at a two-factor set-up's code in a window, and its recovery codes. */
  recoveryCodes: 10,
  /** Reads of the subscription from Stripe in a window, for one seller. */
  subscriptionReads: 10,
  subscriptionWindowSeconds: 60,
  /** Exports of one seller in an hour. */
  exportsAnHour: 5,
  /** Days that the activity log goes back. */
  activityDays: 90,
  /** Life of a session's token in seconds. */
  sessionSeconds: 3_600,
  /** Days after which a session ends however much it is used. */
  sessionDays: 30,
  /** Body of an event of Stripe's in bytes: an invoice may have many lines. */
  stripeEventBytes: 1024 * 1024,
  /** Body of a JSON request in bytes. */
  jsonBytes: 64 * 1024,
  /** Largest message that a browser may send over its socket, in bytes; it has nothing to say but its handshake. */
  socketMessageBytes: 16 * 1024,
  /** Packets that a browser may send over its socket in ten seconds. */
  socketMessages: 20,
} as const;

/** Bytes of the largest form that can be accepted: every photo at its limit, and the rest of the form. */
export const uploadBytesMost = limits.photos * limits.photoBytes + limits.formBytes;

/** What the file picker offers; the server looks at the bytes instead. */
export const photoTypes: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'image/tiff': ['.tif', '.tiff'],
  'image/avif': ['.avif'],
};
