import { photoFormats } from './limits.ts';

type Definition = readonly [status: number, message: string];

/** Errors that the web app reports by itself as well. It loads the sentences of no others. */
export const clientErrors = {
  IMAGE_REQUIRED: [400, 'Please upload at least one product image'],
  FILE_EMPTY: [400, 'One of the files is empty. Please choose another photo.'],
  IMAGE_CORRUPT: [422, 'One of the photos is damaged or incomplete. Please export it again and try again.'],
  IMAGE_TOO_SMALL: [
    422,
    'One of the photos has fewer than 64 pixels on its short side. Please upload a larger one.',
  ],
  TYPE_UNSUPPORTED: [
    415,
    `One of the files is not a photo that can be opened. Please upload ${photoFormats}.`,
  ],
  TOO_MANY_PIXELS: [422, 'One of the photos has more than 100 megapixels. Please upload a smaller one.'],
  FILE_TOO_LARGE: [413, 'One of the photos is larger than 20 MB. Please upload a smaller one.'],
  TOO_MANY_FILES: [413, 'Please upload at most 4 product images.'],
  PROMPT_REQUIRED: [400, 'Please enter a scene description'],
  PROMPT_INVALID: [400, 'The scene description must be plain text of at most 4,000 characters.'],
  NOT_FOUND: [404, "We couldn't find what you're looking for."],
  TOKEN_INVALID: [400, 'This link has expired or was already used. Please request a new one.'],
  UNAVAILABLE: [503, "We're busy right now. Please try again in a moment."],
  INTERNAL: [500, 'An unexpected error occurred. Please try again.'],
} as const satisfies Record<string, Definition>;

/** Every error of the API: its code, HTTP status and the sentence for the person who reads it (docs/errors.md). */
export const errorDefinitions = {
  ...clientErrors,
  TOO_MANY_FIELDS: [413, 'The form has too many fields.'],
  UPLOAD_ABORTED: [400, 'The upload was interrupted. Please try again.'],
  REQUEST_TIMEOUT: [
    408,
    'Your request took too long to reach us. Please check your connection and try again.',
  ],
  TOO_MANY_UPLOADS: [
    429,
    'You have other uploads in progress. Please try again when one of them has finished.',
  ],
  TOO_MANY_STREAMS: [429, 'You have 10 event streams open, which is the most. Close one of them first.'],
  EVENT_TOO_OLD: [
    410,
    'What followed this event is not known any more: it is older than 7 days, or not an event of this account. Start again without Last-Event-ID, and read what you missed from the list of images.',
  ],
  TOO_MANY_DOWNLOADS: [
    429,
    'You have other downloads in progress. Please try again when one of them has finished.',
  ],
  VALIDATION: [400, 'Some of the details are not valid.'],
  BAD_JSON: [400, 'The request is not valid JSON.'],
  BAD_REQUEST: [400, 'The request could not be read.'],
  HEADERS_TOO_LARGE: [431, 'The headers of the request are too large.'],
  BODY_TOO_LARGE: [413, 'The request is too large.'],
  MEDIA_TYPE_UNSUPPORTED: [415, 'This content type is not supported.'],
  IDEMPOTENCY_MISMATCH: [409, 'This Idempotency-Key was already used for another request. Use a new key.'],
  NO_CREDITS: [402, 'You have no images left. Upgrade your plan or wait for its renewal.'],
  UNPAID_CALLS: [
    429,
    'Too many of your images today were stopped early or gave no result. You can create images again at 00:00 UTC. Contact us if you need them sooner.',
  ],
  DAILY_LIMIT: [429, 'You have no images left.'],
  TOO_MANY_REFUSALS: [429, 'Too many of your images today were stopped.'],
  MAINTENANCE: [503, 'Packshot is being maintained.'],
  FAIR_USE: [
    402,
    'You have reached the fair-use limit of your plan for this month. Contact us if you need more.',
  ],
  PAYMENT_OVERDUE: [402, 'Your last payment failed. Please update your payment method under Manage Billing.'],
  PAYMENT_RETURNED: [
    402,
    'The payment for this month was refunded or is disputed. Your plan will work again after the next payment.',
  ],
  IMAGES_NOT_AVAILABLE: [409, 'There are not that many images to take.'],
  NOT_REPEATABLE: [409, 'This cannot be repeated.'],
  REASON_REQUIRED: [403, 'Please say why you need to see these photos.'],
  GENERATION_CHANGED: [409, 'This generation has changed in the meantime. Please look at it again.'],
  OPERATORS_ONLY: [403, 'This page is for operators only.'],
  OPERATOR_TWO_FACTOR: [403, 'Turn on two-factor sign-in to use the operator pages.'],
  OPERATOR_SUSPENDED: [403, 'A second factor was removed. Ask for the role again.'],
  OPERATOR_CODE: [403, 'Enter a code from your authenticator app to use the operator pages.'],
  CONFIRM_REQUIRED: [403, "Please confirm that it's you."],
  NO_SUBSCRIPTION: [402, 'No active subscription found. Subscribe now to generate images.'],
  UPGRADE_REQUIRED: [403, 'This is part of the Enterprise plan. Upgrade your plan to use it.'],
  GENERATION_ENDED: [409, 'This image is no longer in progress.'],
  ALREADY_BEGUN: [
    409,
    'This image is being made already, so its place and its request cannot be changed any more.',
  ],
  PREVIEW_SHOWN: [409, 'There is already a preview, so stopping now uses 1 image.'],
  REMAKE_NOT_OFFERED: [409, 'This image cannot be made again at no charge.'],
  REMAKE_LIMIT: [
    409,
    'You have had 20 images made again at no charge this month. It will be possible again next month.',
  ],
  PROJECT_LIMIT: [409, 'You have 200 projects, which is the most. Delete one that you no longer need.'],
  PROJECT_NOT_DELETABLE: [409, 'This is your default project. It can be renamed, but not deleted.'],
  PROJECT_IN_USE: [409, 'Images in this project are still in progress. Stop them first, or keep the images.'],
  BATCH_LIMIT: [409, 'You have 100 batches, which is the most. Delete one that you no longer need.'],
  BATCH_EMPTY: [409, 'This batch has no rows yet. Add some before you start it.'],
  BATCH_PHOTOS_MISSING: [409, 'Some photos of this batch are not uploaded yet.'],
  BATCH_STARTED: [409, 'This batch was started already. Its photos cannot be changed any more.'],
  BATCH_CHANGED: [409, 'This batch has changed in the meantime. Please look at it again.'],
  BATCH_DELETED: [
    410,
    'The batch of this request was started, and was deleted since. Use a new Idempotency-Key to make another one.',
  ],
  BATCH_IN_PROGRESS: [409, 'This batch is still in progress. Cancel it first.'],
  LOOK_LIMIT: [409, 'You have 50 saved looks, which is the most. Delete one that you no longer need.'],
  PRESET_LIMIT: [
    409,
    'You have 20 export presets of your own, which is the most. Delete one that you no longer need.',
  ],
  PRESET_NAME_TAKEN: [409, 'You have another preset with this name. Please choose a different one.'],
  PRESET_GONE: [404, 'This export preset was deleted. Please choose another one.'],
  NOT_DELETABLE: [409, 'This image is still in progress. Stop it first.'],
  RESTORE_TOO_LATE: [409, 'This image was deleted for ever and cannot be restored.'],
  GENERATION_DELETED: [
    410,
    'The image of this request was deleted. Use a new Idempotency-Key to make another one.',
  ],
  NOT_CHANGEABLE: [409, 'Only a finished image can be changed.'],
  NOT_EDITABLE: [409, 'Only a finished image can be edited.'],
  EDIT_CONFLICT: [409, 'This image was edited in another window. Please look at it and edit it again.'],
  ADDRESS_REFUSED: [422, 'Please use a public address that begins with https://.'],
  ADDRESS_NOT_FETCHED: [422, "We couldn't fetch this address."],
  RANGE_NOT_SATISFIABLE: [416, 'The requested range is beyond the end of the file.'],
  UNAUTHENTICATED: [401, 'Please sign in to continue.'],
  BAD_CREDENTIALS: [401, 'Invalid email or password.'],
  ACCOUNT_LOCKED: [429, 'Too many failed login attempts. Please try again later or reset your password.'],
  ACCOUNT_DISABLED: [403, 'This account has been disabled. Please contact support.'],
  EMAIL_UNVERIFIED: [403, 'Please confirm your email address first. Open the link in the email we sent you.'],
  CODE_REQUIRED: [401, 'Please enter the code from your authenticator app or a recovery code.'],
  CODE_INVALID: [401, 'Wrong or used code. Please try the next one.'],
  PASSWORD_EXPIRED: [403, 'Your password has expired. Please choose a new one to sign in.'],
  PASSWORD_COMMON: [400, 'This password is too easy to guess. Please choose another one.'],
  PASSWORD_REUSED: [400, 'Please choose a password that is different from your current one.'],
  PASSWORD_REQUIRED: [401, 'Please enter the password you chose when you signed up.'],
  WRONG_PASSWORD: [403, 'Incorrect password. Please try again.'],
  DELETION_TOO_SOON: [
    409,
    'Your email address was changed less than 7 days ago. For your security, you can delete the account 7 days after the change.',
  ],
  ACCOUNT_NOT_CREATED: [500, 'Failed to create user account'],
  SIGN_UP_FAILED: [500, 'An error occurred during signup'],
  PROFILE_NOT_FOUND: [404, 'User profile not found'],
  TWO_FACTOR_ON: [409, 'Two-factor sign-in is already on.'],
  TWO_FACTOR_OFF: [409, 'Two-factor sign-in is not on.'],
  PASSKEY_REFUSED: [401, 'This passkey did not work. Try again, or sign in another way.'],
  PASSKEY_NOT_ADDED: [400, 'This passkey could not be added. Please begin again.'],
  PASSKEY_LIMIT: [409, 'You have 10 passkeys, which is the most. Remove one that you no longer use.'],
  API_KEY_INVALID: [401, 'This API key is not valid. It may have expired or been revoked.'],
  API_KEY_SCOPE: [403, 'This API key may not do this.'],
  API_KEY_NETWORK: [403, 'This API key may not be used from this network.'],
  API_KEY_LIMIT: [409, 'You have 20 API keys, which is the most. Revoke one that you no longer use.'],
  WEBHOOK_LIMIT: [409, 'You have 10 webhooks, which is the most. Delete one that you no longer use.'],
  WEBHOOK_OFF: [409, 'This webhook is switched off. Switch it on first.'],
  MAX_IMAGES: [409, 'This would use more images than were agreed to. Nothing was made.'],
  NO_BILLING: [409, 'There is nothing to manage yet. Subscribe to a plan first.'],
  BILLING_BUSY: [409, 'Your plan is being changed in another window. Please try again in a moment.'],
  CARD_DECLINED: [402, 'Your card was declined. Please update your payment method under Manage Billing.'],
  AMOUNT_CHANGED: [409, 'The amount has changed. Nothing was charged. Please check it and confirm again.'],
  PAYMENT_PROCESSING: [409, 'Your payment is still being processed.'],
  SUBSCRIBE_FAILED: [503, 'Failed to update subscription'],
  PORTAL_FAILED: [503, 'Failed to create billing portal session'],
  SUBSCRIPTION_UNREADABLE: [503, 'Failed to load subscription data'],
  BAD_SIGNATURE: [400, 'The signature of this event is not valid.'],
  RATE_LIMITED: [429, 'Too many requests. Please try again later'],
  CROSS_SITE: [403, 'This request came from another site and was refused.'],
  STORAGE_UNAVAILABLE: [
    503,
    "We can't take photos right now. No image was used. Please try again in a few minutes.",
  ],
} as const satisfies Record<string, Definition>;

export type ErrorCode = keyof typeof errorDefinitions;
export const errorCodes = /* @__PURE__ */ Object.keys(errorDefinitions) as [ErrorCode, ...ErrorCode[]];

/** Why a generation failed, as the seller reads it. The provider's own code and request id are for the operator only. */
export const generationFailures = {
  GENERATION_FAILED: 'Failed to generate image. Please try again.',
  NO_IMAGE_DATA: 'No image data returned from API',
  PHOTOS_UNREADABLE: 'Failed to process image files',
  CONTENT_REFUSED:
    'OpenAI API error: the scene or a photo was declined by its content policy. Please change it and try again.',
  PROVIDER_BUSY: 'OpenAI API error: the service is busy. Please try again in a few minutes.',
  PROVIDER_ERROR: 'OpenAI API error: the request could not be completed. Please try again.',
  UNPAID_CALLS:
    'Too many images today were stopped early or gave no result, so this one was not created. Try again after 00:00 UTC, or contact us.',
  TIMED_OUT: 'OpenAI API error: the image took too long. Please try again.',
  NOT_COVERED: 'Your plan did not cover this image any more when its turn came.',
} as const;
export type GenerationFailureCode = keyof typeof generationFailures;
export const generationFailureCodes = Object.keys(generationFailures) as [
  GenerationFailureCode,
  ...GenerationFailureCode[],
];
