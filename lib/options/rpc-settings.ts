import type { BytesForm } from '../wire/encode-scalar.js';

/** The options of the RPC style with their defaults filled in, frozen at boot. */
export interface RpcSettings {
  /** The encoding of `Bytes` in responses: base64 with the custom superjson type `Bytes`, or superjson's own typed array. */
  readonly bytes: BytesForm;
  /** Whether `GET /$describe` is served. */
  readonly describe: boolean;
}
