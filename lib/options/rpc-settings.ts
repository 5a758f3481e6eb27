import type { BytesForm } from '../wire/encode-scalar.js';

/** The options of the RPC style with their defaults filled in, frozen at boot. */
export interface RpcSettings {
  /** Form of Bytes in answers: base64 with the custom type `Bytes`, or superjson's own typed array. */
  readonly bytes: BytesForm;
}
