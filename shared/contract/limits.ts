import { mailLimits } from './mail-limits.ts';

/** Every limit that a seller can reach. Server, worker and web app read it from here. */
export const limits = {
  /** Product photos in one generation. */
  photos: 4,
  /** Size of one uploaded photo in bytes (20 MB). */
  photoBytes: 20 * 1024 * 1024,
  /** Size of a JPEG's file with what follows the picture, which is not kept: a video (motion photos), or another picture. */
  photoFileBytes: 40 * 1024 * 1024,
  /** Pixels of one uploaded photo. */
  photoPixels: 100_000_000,
  /**
   * Pixels of a photo that must be decoded completely (interlaced PNG, progressive JPEG); half as many with 16 bits per
   * channel. This is what phones call 50 megapixels. No camera writes either kind, so it concerns exported files, which
   * take at most 420 MB.
   */
  photoPixelsWhole: 8_192 * 6_144,
  /** Shortest side in pixels of a photo: of fewer it is refused, of fewer than the second the seller is warned. */
  photoSideLeast: 64,
  photoSideGood: 512,
  /** Longest side in pixels of a photo as it is stored and sent to the provider. */
  photoSide: 2_048,
  /** How many times as long as its short side the long side of a photo may be: stored, it has no fewer than `photoSideLeast`. */
  photoSideRatio: 20,
  /** Longest side in pixels of a thumbnail. */
  thumbnailSide: 480,
  /** Longest side in pixels of a preview: enough to judge an image by, too little to use it. */
  previewSide: 512,
  /** How long a browser caches an image before it revalidates it, in seconds. */
  imageCacheSeconds: 300,
  /** Characters of a scene description. */
  promptCharacters: 4_000,
  productNameCharacters: 200,
  skuCharacters: 100,
  /** Words that an image is found by, characters of one, and characters of a search. */
  wordsOfImage: 200,
  wordCharacters: 40,
  searchCharacters: 200,
  libraryCursorCharacters: 600,
  /** Projects of a seller besides the default one. */
  projects: 200,
  projectNameCharacters: 80,
  /** Images that one request moves to another project. */
  imagesMovedAtOnce: 100,
  /** Images that are deleted or restored at once: each is a request. */
  imagesDeletedAtOnce: 100,
  /** Saved looks of a seller. */
  looks: 50,
  lookNameCharacters: 80,
  /** Rows of a batch, batches of a seller, and bytes of the request that makes one. */
  batchRows: 500,
  batches: 100,
  batchBytes: 8 * 1024 * 1024,
  /** Rows of a batch in one page of them. */
  batchRowsPage: 50,
  /** Photos of a batch that a browser uploads at the same time. */
  batchPhotosAtOnce: 3,
  /**
   * Bytes of all batches of a seller that are not started: their tables, and their photos as they are stored. With a plan
   * there is room for the largest batch, with 4 MB for each of its 2,000 photos; without one for 12 photos of 18 MB, the
   * largest that is stored, of three free images.
   */
  unstartedBytes: 8 * 1024 ** 3,
  unstartedBytesWithoutPlan: 256 * 1024 ** 2,
  /** Images that failed or were cancelled: in 24 hours, more than a batch has; and without a plan all that are not deleted. */
  unmadeADay: 2_500,
  unmadeWithoutPlan: 50,
  /** Days after which a batch whose photos were never all uploaded is removed. */
  batchUploadDays: 7,
  /** Characters of the name of a file, and of a pattern for names. */
  fileNameCharacters: 200,
  /** Days that a deleted image stays in the trash, unless the installation says otherwise (`KEEP_TRASH_DAYS`). */
  trashDays: 30,
  /** How long "Undo" is offered after something was deleted, in seconds. */
  undoDeletionSeconds: 10,
  /** Characters of what an image must not show. */
  negativePromptCharacters: 1_000,
  /** The largest seed. */
  seed: 999_999,
  /** Longest side in pixels of an image that is made. */
  imageSide: 2_048,
  /** Text fields in one multipart form. */
  formFields: 16,
  /** Bytes of a multipart form besides its photos: fields, part headers, preamble and epilogue. */
  formBytes: 1024 * 1024,
  /** Headers of one part of a form: how many, and their bytes. */
  partHeaders: 32,
  partHeaderBytes: 16 * 1024,
  /** Uploads in progress per seller and in all, on one server; more wait in line. */
  uploadsOfSeller: 2,
  uploads: 20,
  /** Images of one request: each is a generation of its own. */
  imagesPerRequest: 4,
  /** Size of the mask of a change, as base64. */
  maskCharacters: 4 * 1024 * 1024,
  /** Points of all marks of a change; a rectangle counts as one. The web app thins out what is painted for long. */
  markPoints: 3_000,
  /** How far a mark may lie beside the image, in pixels: a pointer may leave the image while it paints. */
  markCoordinate: 32_768,
  /** Images that a seller may have made again at no charge in a calendar month (UTC). */
  remakesAMonth: 20,
  /**
   * Unpaid calls in a day (UTC): calls to the image provider that we may pay for although no image of the seller is used,
   * because it was stopped before its first preview or had no usable result (docs/credits.md, "Unpaid calls").
   * UNPAID_CALLS_FACTOR multiplies these numbers.
   */
  unpaidCalls: {
    /** Of a seller without a plan; more with many free images, which an operator has given. */
    withoutPlan: 6,
    /** With a plan: this part of its images per month, and at least so many. */
    partOfImages: 1 / 4,
    withPlanLeast: 20,
    /** With a plan without a monthly number. */
    unlimited: 250,
    /** Of all sellers without a plan in one network; more in wider ones. NETWORK_LIMIT_FACTOR multiplies it as well. */
    ofNetwork: 24,
    /** A seller who cancels an image is told how many are left, from this number on. */
    told: 2,
  },
  /** Size of the finished image in pixels, unless the seller chooses another (image-sizes.ts). */
  outputWidth: 1_024,
  outputHeight: 1_024,
  /** Generations in one page of the list. */
  pageSize: 24,
  pageSizeMost: 100,
  /** How long notifications are kept, and how many unread ones are counted at most. */
  notificationDays: 30,
  notificationsCounted: 100,
  idempotencyKeyCharacters: 200,
  emailCharacters: 254,
  nameCharacters: 80,
  passwordCharacters: 8,
  passwordCharactersMost: 128,
  /** Sign-in attempts for one address in a window. */
  signInAttempts: 5,
  signInWindowSeconds: 60,
  /** Failures in a row after which a network, or a known device, is locked out of an account. */
  lockOutFailures: 10,
  /** Failures from all networks together after which every unknown device is locked out. */
  lockOutFailuresOfAll: 100,
  /** How long a lock lasts, and the window in which failures are counted. */
  lockOutMinutes: 60,
  /** Locks of a session, each after `lockOutFailures` wrong passwords or codes in it, after which it ends. */
  sessionLocks: 2,
  /** Known devices per account, and how long each is remembered after its last sign-in. */
  knownDevices: 50,
  knownDeviceDays: 365,
  /** Mails of one kind that a network can request for one mailbox in a window, and all networks together. */
  mailsAsked: 5,
  mailsAskedOfAll: 20,
  mailsWindowSeconds: 3_600,
  /** Characters of the name and the message in the contact form and in an application. */
  senderNameCharacters: 100,
  messageCharacters: 5_000,
  /** Characters of the banner that operators show to sellers. */
  bannerCharacters: 300,
  /** Confirmations of messages and applications to one mailbox in an hour. */
  confirmationsAnHour: 3,
  /** Size of a CV in bytes (5 MB). */
  cvBytes: 5 * 1024 * 1024,
  /** Applications that one server reads at the same time, from one network and in all; more wait in line. */
  applicationsOfNetwork: 1,
  applications: 2,
  ...mailLimits,
  /** Days in which an address gets free images only once, also if its account was deleted. */
  freeImagesDays: 365,
  /** Life of a link in a mail. */
  verificationHours: 48,
  /** How long a browser keeps the photo that a visitor tried, for the studio. */
  visitorPhotoHours: 48,
  /** Days after which an account with an unverified address is removed. */
  unverifiedDays: 7,
  resetMinutes: 60,
  /** Days in which the old address can undo a change of address; it is reserved for that long. */
  undoDays: 7,
  /** Days for which a second factor counts as young: a new password by mail removes it. */
  youngFactorDays: 7,
  /** Hours from an operator's request to remove two-factor sign-in until it is removed. */
  factorRemovalHours: 72,
  /** Days between an operator's decision to delete an account with notice, and its deletion: the person can object. */
  deletionNoticeDays: 7,
  /** Minutes for which an operator may act after the password or a code was given. */
  confirmedMinutes: 10,
  /** Passkeys of an account, and characters of the name of one. */
  passkeys: 10,
  passkeyNameCharacters: 60,
  /** API keys of an account, characters of the name of one, and networks that one names. */
  apiKeys: 20,
  apiKeyNameCharacters: 60,
  apiKeyNetworks: 10,
  /** Test images that an account may ask for in a day (UTC), and for how many days what test keys made is kept. */
  testImagesADay: 1_000,
  testDays: 7,
  /** Webhooks of an account, characters of the address of one, how long one may take to answer, for how long all tries must fail
   * before it is switched off, how long the secret before signs as well, and how long what was sent is kept. */
  webhooks: 10,
  webhookUrlCharacters: 2_000,
  webhookSeconds: 10,
  webhookFailingDays: 3,
  webhookRotationHours: 24,
  webhookLogDays: 30,
  /** How long a request of a program may wait for an image to end, in seconds, and how many of a seller may on a server. */
  apiWaitSeconds: 30,
  apiWaits: 20,
  /** For how many days events are kept at least, from which a program can go on reading. */
  apiEventDays: 7,
  /** How long the challenge for a passkey can be answered, and how long the code works that an answer gives. */
  passkeyChallengeSeconds: 300,
  passkeyCodeSeconds: 120,
  /** Recovery codes that are created for two-factor sign-in. */
  recoveryCodes: 10,
  /** Reads of the subscription from Stripe in a window, for one seller. */
  subscriptionReads: 10,
  subscriptionWindowSeconds: 60,
  /** Previews of a change of plan in the same window. */
  planChangePreviews: 20,
  /** Images of one export, in any number of presets; characters of the pattern of its file names. */
  exportImages: 50,
  /** Images that one request checks: each is made to be checked. */
  exportImagesChecked: 4,
  /** Files of one export that a page puts into a ZIP itself; a server makes larger ones, while they are saved. */
  exportFilesOfPage: 100,
  exportNameCharacters: 100,
  /** Pixels of a side of an exported file that somebody asks for, or that an image is enlarged to. */
  exportSideMost: 5_000,
  /** Export presets that a seller makes: how many, and characters of the name of one. */
  ownPresets: 20,
  ownPresetNameCharacters: 60,
  /** How many times as long as its short side the long side of a file may be, and the least share of the frame in percent. */
  ownPresetRatioMost: 10,
  ownPresetShareLeast: 10,
  /** The least quality of its JPEG or WebP: below about 46, white in a JPEG is no longer pure. */
  ownPresetQualityLeast: 50,
  /** Exports of all data per seller and hour. */
  exportsAnHour: 5,
  /** How long the address of an export works, in seconds: a browser may ask for a download more than once. */
  exportTicketSeconds: 60,
  /** Days that entries of the activity log are kept. */
  activityDays: 90,
  /** Life of a session's token in seconds. */
  sessionSeconds: 3_600,
  /** Days without activity after which a session ends in a browser that stays signed in. */
  staySignedInDays: 14,
  /** Days after which a session ends even if it is used. */
  sessionDays: 30,
  /** Body of a Stripe event in bytes: an invoice may have many lines. */
  stripeEventBytes: 1024 * 1024,
  /** Body of a JSON request in bytes. */
  jsonBytes: 64 * 1024,
  /** Largest message in bytes that a browser may send over its socket; it sends only its handshake. */
  socketMessageBytes: 16 * 1024,
  /** Packets that a browser may send over its socket in ten seconds. */
  socketMessages: 20,
} as const;

/** Bytes of the largest form that can be accepted: all photos at their limit, and the rest of the form. */
export const uploadBytesMost = limits.photos * limits.photoBytes + limits.formBytes;

/** What the file picker offers; the server decides by the bytes. */
export const photoTypes: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['.jpg', '.jpeg', '.jfif', '.jpe', '.mpo'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'image/tiff': ['.tif', '.tiff'],
  'image/heic': ['.heic', '.heif', '.hif'],
  'image/avif': ['.avif'],
};
/** The `accept` attribute of file pickers. */
export const acceptedPhotos = () => Object.entries(photoTypes).flat(2).join(',');
/** The formats of photos, for people. */
export const photoFormats = 'JPEG, PNG, WebP, HEIC, TIFF or AVIF';
