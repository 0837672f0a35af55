/* Operations whose valid requests are refused here, or nearly all, each with its reason. */
const ofMails = 'takes the token of a link in a mail';
const ofPasskeys = 'takes what an authenticator has signed';
const ofTwoFactor = 'takes a code of an authenticator app';
const ofStates = 'needs an image or a batch that is under way, or whose images have failed';
const ofFailures = 'needs something that has failed';

const unreached: Readonly<Record<string, string>> = {
  confirmEmail: ofMails,
  confirmPasswordReset: ofMails,
  confirmReachable: ofMails,
  downloadDataExport: ofMails,
  getLinkAddress: ofMails,
  keepTwoFactor: ofMails,
  turnMailsOff: ofMails,
  undoEmailChange: ofMails,
  unlockAccount: ofMails,
  verifyEmail: ofMails,
  addPasskey: ofPasskeys,
  createPasskeyCode: ofPasskeys,
  removePasskey: ofPasskeys,
  renamePasskey: ofPasskeys,
  signInWithPasskey: ofPasskeys,
  addAuthenticatorApp: ofTwoFactor,
  createRecoveryCodes: ofTwoFactor,
  removeAuthenticatorApp: ofTwoFactor,
  cancelGeneration: ofStates,
  changeGenerationRequest: ofStates,
  moveGeneration: ofStates,
  remakeImage: ofStates,
  cancelBatch: ofStates,
  pauseBatch: ofStates,
  resumeBatch: ofStates,
  retryBatch: ofStates,
  startBatch: ofStates,
  receiveStripeEvent: 'takes what Stripe has signed',
  deleteSeller: "takes the address of the seller's account, which would be gone for what follows",
  downloadSellerExport: 'takes a ticket that works once',
  actOnGeneration: ofFailures,
  callWebhook: ofFailures,
  handleEvent: ofFailures,
  sendMail: ofFailures,
};

/**
 * Finds the operations that accepted nothing, and are not in this list.
 * @param answers by operation how many valid requests had each answer: `accepted`, or the code of the error
 * @returns a line for each
 */
export function findUnreached(answers: Record<string, Record<string, number>>): string[] {
  return Object.entries(answers).flatMap(([operation, { accepted, ...refused }]) =>
    accepted === undefined && unreached[operation] === undefined
      ? [`${operation} accepted no valid request: ${JSON.stringify(refused)}`]
      : [],
  );
}
