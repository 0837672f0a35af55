/** More contact messages that are refused. */
import { testInvalid } from './contact-steps.ts';

testInvalid([
  ['a blank name', { name: ' \t ' }, 'name', 'Please enter your name'],
  ['a name with NUL', { name: 'Ada\0' }, 'name', 'Please enter your name without line breaks'],
  ['a name of 10 kB', { name: 'x'.repeat(10_000) }, 'name', 'Please enter a shorter name'],
  ['no address', { email: undefined }, 'email', 'Please enter a valid email address'],
  [
    'an address with a header',
    { email: 'ada@example.com\r\nBcc: all@example.com' },
    'email',
    'Please enter a valid email address',
  ],
  ['an address with a name', { email: 'Ada <a@example.com>' }, 'email', 'Please enter a valid email address'],
  ['a subject of 10 kB', { subject: 'x'.repeat(10_000) }, 'subject', 'Please choose a subject'],
  [
    'a subject with a header',
    { subject: 'support\r\nBcc: a@example.com' },
    'subject',
    'Please choose a subject',
  ],
  ['the name of a property as subject', { subject: 'toString' }, 'subject', 'Please choose a subject'],
  ['a blank message', { message: '\r\n \r\n' }, 'message', 'Please enter a message'],
  ['a message with NUL', { message: 'a\0b' }, 'message', 'Please enter plain text'],
]);
