import { Decimal } from 'decimal.js';
import { SuperJSON } from 'superjson';

/** superjson as the specification's clients set it up: their own instance with the two custom types. */
export const rpcCodec = new SuperJSON();

rpcCodec.registerCustom<Decimal, string>(
  {
    isApplicable: (value): value is Decimal => Decimal.isDecimal(value),
    serialize: (value) => value.toString(),
    deserialize: (value) => new Decimal(value),
  },
  'Decimal',
);
rpcCodec.registerCustom<Uint8Array, string>(
  {
    isApplicable: (value): value is Uint8Array => value instanceof Uint8Array,
    serialize: (value) => Buffer.from(value).toString('base64'),
    deserialize: (value) => new Uint8Array(Buffer.from(value, 'base64')),
  },
  'Bytes',
);
