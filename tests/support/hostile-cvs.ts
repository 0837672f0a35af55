/** Files that take long to read as a CV, for a reader without limits. */
import { deflateRawSync } from 'node:zlib';
import { limits } from '#contract';

const megabyte = 1024 * 1024;
const office = '[Content_Types].xml';
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** A file in a ZIP, with what its headers claim. */
interface ZipFile {
  name: string;
  data?: Buffer;
  /** 8 means that it is compressed. */
  method?: number;
  /** Bit 3 says that its length follows its data. */
  flags?: number;
  /** Where its entry claims that its header is, and how long its data is. */
  start?: number;
  bytes?: number;
}

/** Each with what it is, at most as large as a CV may be. */
export function hostileCvs(): { what: string; file: Buffer }[] {
  const types = Buffer.from(`<Types><Override ContentType="${docx}.main+xml"/></Types>`);
  const bomb = deflateRawSync(Buffer.concat([types, Buffer.alloc(64 * megabyte)]), { level: 9 });
  return [
    { what: 'a ZIP whose list of types has 64 MB', file: zipOf([{ name: office, data: bomb, method: 8 }]) },
    {
      what: 'a ZIP with 80,000 entries',
      file: zipOf([{ name: 'x' }], Array(80_000).fill({ name: '_rels/x' })),
    },
    {
      what: 'a ZIP with 4,000 entries, none of which is looked for',
      file: zipOf([{ name: 'x' }], Array(4_000).fill({ name: '[Content_Types].xm_' })),
    },
    {
      what: 'a ZIP with one file that its whole list of entries names',
      file: zipOf(
        [{ name: office, data: bomb, method: 8 }],
        Array(4_000).fill({ name: office, method: 8, bytes: bomb.length }),
      ),
    },
    {
      what: 'a ZIP with entries that claim to be 4 GB long and to begin behind its end',
      file: zipOf([{ name: 'x' }], Array(3_000).fill({ name: office, start: 0xffffffff, bytes: 0xffffffff })),
    },
    {
      what: 'a ZIP whose only file has no length, and no end',
      file: Buffer.concat([
        fileHeader({ name: 'word/x', flags: 8, method: 8 }),
        Buffer.alloc(limits.cvBytes - 100),
      ]),
    },
    {
      what: 'many file headers and no list of entries',
      file: filled(fileHeader({ name: '_rels/x' })),
    },
    {
      what: 'ZIPs in ZIPs, a hundred deep',
      file: Array.from({ length: 100 }).reduce<Buffer>(
        (data) => zipOf([{ name: 'word/x.zip', data }]),
        zipOf([{ name: 'x' }]),
      ),
    },
    {
      what: 'a compound file whose every stream is almost that of Word',
      file: Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        filled(Buffer.from('WordDocumenx', 'utf16le')).subarray(8),
      ]),
    },
    {
      what: 'a PNG of empty chunks',
      file: Buffer.concat([
        Buffer.from('89504e470d0a1a0a', 'hex'),
        filled(Buffer.from('000000007445587400000000', 'hex')).subarray(8),
      ]),
    },
    {
      what: 'a film whose boxes have no size',
      file: Buffer.concat([
        Buffer.from('00000018667479706d703432', 'hex'),
        Buffer.alloc(limits.cvBytes - 12),
      ]),
    },
  ];
}

/** The largest file that consists of a record again and again. */
function filled(record: Buffer): Buffer {
  return Buffer.concat(Array(Math.floor(limits.cvBytes / record.length)).fill(record));
}

/** @param listed what its central directory names; its files, unless given */
function zipOf(files: ZipFile[], listed = files): Buffer {
  const data = Buffer.concat(files.flatMap((file) => [fileHeader(file), file.data ?? Buffer.alloc(0)]));
  const directory = Buffer.concat(listed.map(directoryEntry));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(listed.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(listed.length, 0xffff), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(data.length, 16);
  return Buffer.concat([data, directory, end]);
}

function fileHeader({ name, data, method = 0, flags = 0, bytes = data?.length ?? 0 }: ZipFile): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt32LE(bytes, 18);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name)]);
}

function directoryEntry({ name, data, method = 0, start = 0, bytes = data?.length ?? 0 }: ZipFile): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(bytes, 20);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(start, 42);
  return Buffer.concat([entry, Buffer.from(name)]);
}
