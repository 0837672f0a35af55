/** A key that only the local Stripe accepts. */
export const localStripeKey = 'sk_test_packshot_local';
