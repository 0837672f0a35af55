/** The MongoDB error codes that this server uses, by name. */
export const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  InvalidLength: 16,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  CannotCreateIndex: 67,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CannotIndexParallelArrays: 171,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
} as const;

const NAMES = new Map<number, string>(Object.entries(CODES).map(([name, code]) => [code, name]));

/** The `codeName` of a code; like MongoDB, codes without a name are called `Location<code>`. */
export function codeName(code: number): string {
  return NAMES.get(code) ?? `Location${code}`;
}

/** An error that is sent to the client: MongoDB's code and message, and additional fields of the reply. */
export class MongoServerError extends Error {
  readonly code: number;
  readonly fields: Record<string, unknown>;

  constructor(code: number, message: string, fields: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

/** Throws the error with this code: a name from CODES, or the number of a location. */
export function fail(
  code: keyof typeof CODES | number,
  message: string,
  fields?: Record<string, unknown>,
): never {
  throw new MongoServerError(typeof code === 'number' ? code : CODES[code], message, fields);
}
