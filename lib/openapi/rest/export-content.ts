import type { Response } from '../open-api.js';

/** A collection as a whole, where there are exports. */
export const EXPORTS: Response['content'] = {
  'application/x-ndjson': {
    schema: { type: 'string', description: 'A resource object on each line; the last line says that all are there, or why not.' },
  },
  'text/csv': {
    schema: { type: 'string', description: 'A table with a header: the id, the attributes, and the ids of to-one relationships.' },
  },
};
