/** What a seller's activity log has instead of a device and an address where an operator did something. */
export const bySupport = { device: 'Packshot support', address: 'on request' };
