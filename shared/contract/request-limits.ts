/** How many requests a network and a seller may send in a window. Not part of `limits`, which every page loads. */
export const requestLimits = {
  /**
   * How many times the number of a network the wider ones of IPv6 have, by their bits: a client may have all networks of 64
   * bits in one of them, but several clients may share it. Less than the smallest limit of all networks together needs.
   */
  widerNetworks: { 56: 2, 48: 3 },
  /**
   * Requests per network (an IPv4 address, or 64 bits of IPv6) in a window; NETWORK_LIMIT_FACTOR multiplies them. Enough
   * for a class or an office behind one address, but not for a flood. `atOnce` as below.
   */
  network: {
    /** Each costs an account and a mail. */
    'sign-up': { requests: 40, seconds: 3_600 },
    /** Every attempt with a password or with the link of a mail. */
    'sign-in': { requests: 100, seconds: 60 },
    /** Challenges for a passkey: each opening of the sign-in page may ask for one, which is stored for minutes. */
    passkey: { requests: 300, seconds: 60 },
    /** Requests for a mail with a link. */
    'mail-link': { requests: 60, seconds: 3_600 },
    upload: { requests: 120, seconds: 60, atOnce: 5 },
    /** Photos of batches: each is a request. */
    'batch-photo': { requests: 1_200, seconds: 60 },
    /** API keys that are not valid: nobody guesses one, and each costs a look into the database. */
    'api-key': { requests: 100, seconds: 60 },
    /** Requests for test images, which cost nothing but our processor time: about half a second for each image. */
    'test-image': { requests: 600, seconds: 3_600 },
    /** Messages of the contact form: each is a mail to us, and may be one to its sender. */
    contact: { requests: 20, seconds: 600 },
    /** Photos of visitors without an account: each takes about a second of processor time. */
    sketch: { requests: 60, seconds: 3_600 },
    /** Applications: each is a file, and a mail with it. */
    application: { requests: 20, seconds: 3_600 },
    /** Stripe pages and changes of the plan. */
    billing: { requests: 60, seconds: 600 },
    /** Accounts that get free images: each costs us some calls to the image service. */
    'free-images': { requests: 10, seconds: 86_400 },
  },
  /**
   * Requests of a seller in a window; `atOnce`: how many of them a server takes in one statement, where they cost less than counting
   * them (`createRateLimit`). A window of the web app reads a batch and its ten pages of rows at most every two seconds.
   */
  seller: {
    /** Requests with API keys, all of the seller's together. */
    api: { requests: 600, seconds: 60 },
    /** Small copies of photos: each takes a second of processor time. */
    'photo-check': { requests: 120, seconds: 60 },
    /** Photos that the server fetches from addresses. */
    'photo-address': { requests: 300, seconds: 60 },
    /** New webhooks and other addresses of them: each is a mail to the seller. */
    'webhook-new': { requests: 60, seconds: 3_600 },
    /** Events that a seller has sent by hand: each calls an address of their choice. */
    'webhook-send': { requests: 60, seconds: 60 },
    /** Each has up to 500 rows and 2,000 photos to check and to store. */
    'batch-new': { requests: 20, seconds: 60 },
    /** Each counts the images of up to 100 batches. */
    'batch-list': { requests: 180, seconds: 60 },
    /** Batches without rows, and pages of rows. */
    'batch-read': { requests: 1_200, seconds: 60, atOnce: 20 },
    /** Replies with all rows: each takes as long as those of some hundred other requests. */
    'batch-whole': { requests: 12, seconds: 10 },
    'batch-photo': { requests: 1_200, seconds: 60 },
    /** Start, pause, resume, cancel, retry and delete. */
    'batch-action': { requests: 60, seconds: 60 },
    /** ZIPs and reports. */
    'batch-download': { requests: 30, seconds: 60 },
  },
} as const;
