/** Complete views with defaults, so that a test states only the fields that it is about. */
import {
  defaultOptions,
  type GenerationRequest,
  type GenerationView,
  generationRequestSchema,
  imageSizeNames,
  type Me,
  type SubscriptionView,
  settingsSchema,
} from '#contract';

/** A subscription: active, on the freelance plan. @param details fields that differ */
export function sampleSubscription(details: Partial<SubscriptionView> = {}): SubscriptionView {
  return {
    plan: 'freelance',
    status: 'active',
    isActive: true,
    canGenerate: true,
    isCancelled: false,
    unlimited: false,
    generationsLeft: 100,
    generationsHeld: 0,
    freeImages: { granted: 0, left: 0, held: 0, due: false },
    totalGenerations: 100,
    currentPeriodEnd: '2026-12-21T12:00:00.000Z',
    cancelAtPeriodEnd: false,
    paymentMethod: 'card',
    last4: '4242',
    cardBrand: 'visa',
    isTrial: false,
    trialEnd: null,
    nextPlan: null,
    graceUntil: null,
    hasBilling: true,
    revision: 1,
    ...details,
  };
}

/** A signed-in account with default settings. @param details fields that differ */
export function sampleMe(details: { id?: string; subscription?: Partial<SubscriptionView> } = {}): Me {
  return {
    user: {
      id: details.id ?? 'one',
      email: 'ana@shop.example',
      fullName: 'Ana Müller',
      displayName: 'Ana Müller',
      memberSince: '2026-01-01T00:00:00.000Z',
      twoFactorEnabled: false,
      operator: false,
      emailUnreachable: null,
    },
    subscription: sampleSubscription(details.subscription),
    settings: settingsSchema.parse({}),
    passwordDue: false,
    unreadNotifications: 0,
    imageProvider: 'openai',
    imageCapabilities: { sizes: imageSizeNames, transparentBackground: true, seed: false, mask: true },
  };
}

/** A request with a description and defaults. */
export function sampleRequest(prompt: string, numImages = 1): GenerationRequest {
  return generationRequestSchema.parse({ prompt, numImages: String(numImages) });
}

/** A queued generation. @param details fields that differ */
export function sampleGeneration(details: Partial<GenerationView> = {}): GenerationView {
  return {
    id: 'one',
    state: 'queued',
    revision: 1,
    set: { id: details.id ?? 'one', index: 0, size: 1 },
    projectId: 'project',
    batchId: null,
    prompt: 'A cup',
    productName: '',
    sku: '',
    photos: [],
    photosShow: 'one-product',
    options: { ...defaultOptions, seed: null },
    composedPrompt: 'A cup',
    position: null,
    timeLeft: null,
    progress: null,
    previewUrl: null,
    image: null,
    edits: null,
    favourite: false,
    match: null,
    parentId: null,
    rootId: details.id ?? 'one',
    change: null,
    remake: null,
    remakeOf: null,
    failure: null,
    imageUsed: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    startedAt: null,
    endedAt: null,
    ...details,
  };
}
