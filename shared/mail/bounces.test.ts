import { expect, test } from 'vitest';
import { saysAddressIsDead } from './bounces.ts';

test.each([
  [550, '550 5.1.1 The email account that you tried to reach does not exist'],
  [550, '550-5.1.1 The email account does not exist. 550 5.1.1 Learn more'],
  [550, "Can't send mail - all recipients were rejected: 550 No such user here"],
  [551, '551 User not local'],
  [553, '553 5.1.3 Invalid address'],
  [550, '550 5.1.10 RESOLVER.ADR.RecipientNotFound'],
  [550, 'smtp; 550 5.2.1 The account is disabled'],
])('%i %s: the address is dead', (code, text) => {
  expect(saysAddressIsDead(code, text)).toBe(true);
});

test.each([
  [452, '452 4.2.2 The account is over quota'],
  [552, '552 5.2.2 The account is over quota'],
  [550, '550 5.2.2 mailbox full'],
  [550, '550 5.7.1 Our system has detected an unusual rate of mail from your address'],
  [554, '554 5.7.1 Service unavailable; client host blocked using a list'],
  [554, '554 Transaction failed'],
  [550, '550 5.1.8 Sender address rejected: domain not found'],
  [550, '550 5.4.1 Recipient address rejected: access denied'],
  [552, '552 5.3.4 Message too big'],
  [550, '550 4.4.7 Delivery time expired'],
])('%i %s: it says nothing about the address', (code, text) => {
  expect(saysAddressIsDead(code, text)).toBe(false);
});
