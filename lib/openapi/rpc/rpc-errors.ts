import { ApiError } from '../../errors/api-error.js';
import { rpcStatus } from '../../rpc/protocol/render-rpc-error.js';
import type { Components } from '../components.js';
import type { ErrorStyle } from '../error-responses.js';
import { arrayOf, type JsonSchema, type JsonSchemas, objectOf } from '../json-schema.js';

/** Returns the error responses of the RPC style: a flat object, repeated as `error`. */
export function rpcErrors(components: Components): ErrorStyle {
  const schema = components.schema('RpcError', rpcErrors, () =>
    objectOf({ ...MEMBERS, error: objectOf({ ...MEMBERS, rejectReason: { const: 'cannot-read-back' } }, ['message']) }, [
      'message',
      'error',
    ]),
  );
  return { name: 'Rpc', mediaType: 'application/json', schema, statusOf: (code) => rpcStatus(new ApiError(code, '')), showsCodes: false };
}

const TEXT: JsonSchema = { type: 'string' };

const MEMBERS: JsonSchemas = {
  message: { ...TEXT, description: 'What went wrong.' },
  orm: { type: 'boolean', description: 'The data layer failed.' },
  code: { ...TEXT, description: 'Code of the data layer, e.g. `P2002`.' },
  fields: { ...arrayOf(TEXT), description: 'Fields whose unique value is taken, or whose reference leads nowhere.' },
  problems: {
    ...arrayOf(
      objectOf(
        {
          path: { ...TEXT, description: 'Where the value is: `data.title`, `args.note`, in a batch `[2].data.title`.' },
          message: { ...TEXT, description: 'What is wrong with it.' },
          code: { ...TEXT, description: 'Code of the error catalogue, e.g. `invalid-value`.' },
        },
        ['path', 'message'],
      ),
    ),
    description: 'The values of the argument that are at fault, one entry for each fault.',
  },
  rejectedByPolicy: { type: 'boolean', description: 'An access policy refused.' },
  reason: {
    ...TEXT,
    description:
      'Why a policy refused. `RESULT_NOT_READABLE`: it is written, and a policy hides the result. `unique-conflict`: there is a record with the same unique value. Or the code of what is wrong with an `Idempotency-Key`.',
  },
};
