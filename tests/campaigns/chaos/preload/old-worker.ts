/** Loaded before a worker of an older version: its events lack a field that servers and clients of this version require. */
import { replaceSources } from '../replace-source.ts';

replaceSources([
  {
    file: 'shared/views/generation.ts',
    text: '    remakeOf: row.remake_of ?? null,\n',
    by: '',
  },
]);
