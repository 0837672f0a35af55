/** Paths of the API, as the server registers and the clients call them. */
export const paths = {
  /** GET: 200 `Service`, without a session. */
  service: '/api/service',
  /** POST signs up: body `SignUp`, 202, the same whether or not the address has an account. */
  accounts: '/api/accounts',
  /** POST sends the verification link again: body `AddressOnly`, 202 for every address. */
  verification: '/api/accounts/verification',
  /** POST verifies an address and signs in: body `VerifyEmail`, 200 `SessionReply`. */
  verifyEmail: '/api/verify-email',
  /** POST asks for a link to set a new password: body `AddressOnly`, 202 for every address. */
  passwordReset: '/api/password-reset',
  /** POST sets the password: body `SetPassword`, 204. */
  confirmPasswordReset: '/api/password-reset/confirm',
  /** POST tells to which address the mail with a link was sent: body `TokenOnly`, 200 `LinkAddress`. */
  linkAddress: '/api/link-address',
  /** POST unlocks a locked account: body `TokenOnly`, 204. */
  unlock: '/api/unlock',
  /** POST keeps two-factor sign-in that an operator is to remove: body `TokenOnly`, 204. */
  keepTwoFactor: '/api/keep-two-factor',
  /** POST moves an account to its new address: body `ConfirmEmail`, 204. */
  confirmEmail: '/api/confirm-email',
  /** POST restores the old address, with a new password: body `SetPassword`, 204. */
  undoEmail: '/api/undo-email',
  /** POST signs in: body `SignIn`, 200 `SessionReply`. DELETE signs out: 204. */
  session: '/api/session',
  /** POST signs in with a passkey: body `PasskeyAssertion`, 200 `SessionReply`. */
  passkeySession: '/api/session/passkey',
  /** POST, with or without a session: 200 `PasskeyRequestOptions`. */
  passkeyChallenge: '/api/passkeys/challenge',
  /** POST a passkey for a code that stands for it wherever a code is asked for: body `PasskeyAssertion`, 200 `PasskeyCode`. */
  passkeyCode: '/api/passkeys/code',
  /** GET: 200 `FactorList`. POST adds one: body `AddPasskey`, 201 `AddedPasskey`. */
  passkeys: '/api/me/passkeys',
  /** POST: body `BeginPasskey`, 200 `PasskeyCreationOptions`. */
  beginPasskey: '/api/me/passkeys/begin',
  /** PATCH: body `RenamePasskey`, 200 `PasskeyView`. DELETE: body `PasswordAndCode`, 204. */
  passkey: (id: string) => `/api/me/passkeys/${id}`,
  /** GET lists the seller's open sessions: 200 `SessionList`. DELETE signs out everywhere: 204. */
  sessions: '/api/sessions',
  /** DELETE ends one of the seller's sessions: 204. */
  oneSession: (id: string) => `/api/sessions/${id}`,
  /** GET: 200 `Me`. PATCH changes the name: body `ChangeName`, 200 `Me`. */
  me: '/api/me',
  /** POST: body `ChangePassword`, 204; other sessions end. */
  password: '/api/me/password',
  /** POST requests a change of address: body `ChangeEmail`, 202 for every address. */
  email: '/api/me/email',
  /** POST without a body sends a link to an address whose mail came back: 202; once a day. */
  emailCheck: '/api/me/email/check',
  /** POST confirms that mail arrives at it again: body `TokenOnly`, 204. */
  confirmReachable: '/api/confirm-reachable',
  /** GET: 200 `Settings`. PATCH: body `ChangeSettings`, 200 `Settings`. */
  settings: '/api/me/settings',
  /** The authenticator app. POST begins: body `BeginTwoFactor`, 200 `TwoFactorSetup`. DELETE removes it: body `PasswordAndCode`, 204. */
  twoFactor: '/api/me/two-factor',
  /** POST adds the app: body `CodeOnly`, 200 `RecoveryCodes`; none if there are passkeys, with which they came. */
  confirmTwoFactor: '/api/me/two-factor/confirm',
  /** POST replaces the recovery codes: body `PasswordAndCode`, 200 `RecoveryCodes`. */
  recoveryCodes: '/api/me/two-factor/recovery-codes',
  /** GET: 200 `Protection`. */
  protection: '/api/me/protection',
  /** POST confirms the session: body `Confirmation`, 204. */
  confirmation: '/api/me/confirmation',
  /** GET: 200 `ActivityList`. */
  activity: '/api/me/activity',
  /** POST: body `ExportData`, 200 `DataExport`. GET at the address in it: a ZIP of all data of the seller. */
  export: '/api/me/export',
  /** POST deletes the account: body `DeleteAccount`, 204. */
  deletion: '/api/me/deletion',
  /** POST a small copy of a photo: body `CheckPhoto`, 200 `CheckedPhoto`: what stands in the way of cutting its product out. */
  photoChecks: '/api/photo-checks',
  /** POST before the first photo: 204. The process that checks photos starts, if it does not run. */
  startPhotoChecks: '/api/photo-checks/start',
  /** POST a small copy of a photo, without a session: body `DrawSketches`, 200 `DrawnSketches`. */
  sketches: '/api/sketches',
  /** POST where a photo is: body `FetchPhoto`, 200 the photo. */
  photoAddresses: '/api/photo-addresses',
  /** POST a message of the contact form, with or without a session: body `Contact`, 202. */
  contact: '/api/contact',
  /** POST multipart, an application with a CV: 202. */
  applications: '/api/applications',
  /** GET the subscription as Stripe has it now: 200 `SubscriptionView`; limited by `subscriptionReads`. */
  subscription: '/api/subscription',
  /** GET with `planId`: what a change to that plan costs: 200 `PlanChangePreview`. */
  planChangePreview: '/api/subscription/preview',
  /** POST: body `Subscribe`, 200 `SubscribeReply`. */
  subscribe: '/api/subscribe',
  /** POST: body `BuyPack`, 200 `PortalReply` with the page to pay on. */
  imagePacks: '/api/image-packs',
  /** POST without a body: 200 `PortalReply`. */
  portalSession: '/api/create-portal-session',
  /** GET: 200 `CreditEntryList`, newest first. */
  creditEntries: '/api/credit-entries',
  /** POST: bounces and complaints that the mail provider reports, with `MAIL_WEBHOOK_SECRET`. */
  mailWebhook: '/api/webhooks/mail',
  /** POST: a signed Stripe event. */
  stripeWebhook: '/api/webhooks/stripe',
  /** POST multipart submits: 202 `GenerationSet`. GET lists, newest first: 200 `GenerationList`. */
  generations: '/api/generations',
  /** GET and PATCH (body `ChangeGeneration`): 200 `GenerationView`. DELETE: 200 `RemovedGeneration`. */
  generation: (id: string) => `/api/generations/${id}`,
  /** GET, query `LibraryQuery`: 200 `GenerationList`. */
  library: '/api/library',
  /** POST `CancelGeneration`: 200 `GenerationView`. */
  cancelGeneration: (id: string) => `/api/generations/${id}/cancel`,
  /** POST, body `MoveInLine`: 200 `GenerationView`. */
  moveGeneration: (id: string) => `/api/generations/${id}/move`,
  /** PATCH, body `ChangeWaiting`: 200 `GenerationView`. */
  generationRequest: (id: string) => `/api/generations/${id}/request`,
  /** POST restores from the trash: 200 `GenerationView`. */
  restoreGeneration: (id: string) => `/api/generations/${id}/restore`,
  /** GET, query `TrashQuery`: 200 `Trash`. DELETE, query `EmptyTrashQuery`, deletes for ever: 200 `EmptiedTrash`. */
  trash: '/api/trash',
  /** DELETE what is in the trash for ever: 204. */
  trashed: (id: string) => `/api/trash/${id}`,
  /** POST makes an image with a low product match again at no charge, once: 202 `GenerationSet`. */
  remake: (id: string) => `/api/generations/${id}/remake`,
  /** POST, body `ChangeRequest`, makes a new generation from a finished image: 202 `GenerationSet`. */
  changes: (id: string) => `/api/generations/${id}/changes`,
  /** PUT: body `SaveEdits`, 200 `GenerationView`. */
  edits: (id: string) => `/api/generations/${id}/edits`,
  /** GET an image of a generation: `image`, `image-product`, `edited-7`, `photo-0`, `preview-1-0`; with the suffix `-thumbnail` a small WebP. */
  generationImage: (id: string, name: string) => `/api/generations/${id}/images/${name}`,
  /** GET: 200 `ProjectList`. POST: body `CreateProject`, 201 `ProjectView`. */
  projects: '/api/projects',
  /** GET and PATCH (body `ChangeProject`): 200 `ProjectView`. DELETE, query `DeleteProject`: 204. */
  project: (id: string) => `/api/projects/${id}`,
  /** POST moves images to the project: body `MoveImages`, 200 `MovedImages`. */
  projectImages: (id: string) => `/api/projects/${id}/images`,
  /** GET: 200 `LookList`. POST: body `CreateLook`, 201 `LookView`. */
  looks: '/api/looks',
  /** PUT: body `ChangeLook`, 200 `LookView`. DELETE: 204. */
  look: (id: string) => `/api/looks/${id}`,
  /** POST: 201 `LookView`, of the copy. */
  duplicateLook: (id: string) => `/api/looks/${id}/duplicate`,
  /** GET the small picture of a look: a WebP. */
  lookPicture: (id: string) => `/api/looks/${id}/picture`,
  /** GET, query `ExportQuery`: a file, or a ZIP of several. */
  exports: '/api/exports',
  /** GET, query `ExportQuery` of one file: a form with the file and its `ExportCheck`. */
  exportFile: '/api/exports/file',
  /** GET, query `ExportQuery`: 200 `ExportChecks`. Pages of the last release ask for it. */
  exportChecks: '/api/exports/check',
  /** GET: 200 `NotificationList`, newest first. */
  notifications: '/api/notifications',
  /** POST marks notifications as read: body `ReadNotifications`, 200 with the number of unread ones. */
  readNotifications: '/api/notifications/read',
  socket: '/socket.io',
  docs: '/api/docs',
} as const;

/** Pages of the app that mails and Stripe link to; a token is in `?token=`. */
export const pages = {
  login: '/login',
  dashboard: '/dashboard',
  library: '/library',
  /** All projects; the page of one is below it, by its id. */
  projects: '/projects',
  /** All batches; the page of one is below it, by its id. */
  batches: '/batch',
  /** Account settings; its sub-pages follow. */
  profile: '/profile',
  plan: '/profile/plan',
  usage: '/profile/usage',
  preferences: '/profile/preferences',
  security: '/profile/security',
  apiKeys: '/profile/api',
  data: '/profile/data',
  /** The operator's pages; each is below it. */
  operator: '/operator',
  verifyEmail: '/verify-email',
  resetPassword: '/reset-password',
  forgotPassword: '/forgot-password',
  unlock: '/unlock',
  keepTwoFactor: '/keep-two-factor',
  confirmEmail: '/confirm-email',
  undoEmail: '/undo-email',
  confirmReachable: '/confirm-reachable',
  /** Also a path of the API, by POST: mailboxes send to the address that people open. */
  unsubscribe: '/unsubscribe',
  /** After the deletion of an account. */
  goodbye: '/goodbye',
  contact: '/contact',
} as const;

/** Header of every reply of the API: the release of the web app that the server serves. */
export const releaseHeader = 'packshot-release';
