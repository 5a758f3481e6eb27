import { ERROR_CATALOGUE } from '../../errors/error-catalogue.js';
import { JSON_API_MEDIA_TYPE } from '../../rest/protocol/media-type.js';
import type { Resource } from '../../model/surface/surface.js';
import type { RestSettings } from '../../options/rest-settings.js';
import type { Components } from '../components.js';
import type { ErrorStyle } from '../error-responses.js';
import { arrayOf, type JsonSchema, objectOf } from '../json-schema.js';

/** Returns the error responses of the REST style: JSON:API error documents. */
export function restErrors({ strict }: RestSettings, components: Components): ErrorStyle {
  const schema = components.schema('ErrorDocument', restErrors, () => objectOf({ errors: arrayOf(errorObject(strict)) }, ['errors']));
  return { name: 'Rest', mediaType: JSON_API_MEDIA_TYPE, schema, statusOf: (code) => ERROR_CATALOGUE[code].status, showsCodes: true };
}

/** Returns the error statuses that validators of the application add to a write. */
export const validationErrors = ({ validate }: Resource): readonly number[] => (validate ? [422] : []);

function errorObject(strict: boolean): JsonSchema {
  const text: JsonSchema = { type: 'string' };
  const place = {
    pointer: { ...text, description: 'JSON Pointer into the request body.' },
    parameter: { ...text, description: 'Name of the query parameter.' },
    header: { ...text, description: 'Name of the header.' },
  };
  return objectOf(
    {
      id: { ...text, description: 'Names this occurrence in the log of the server.' },
      code: { ...text, description: 'What went wrong, e.g. `not-found`.' },
      status: strict ? text : { type: 'integer' },
      title: { ...text, description: 'The same for every occurrence of the code.' },
      detail: { ...text, description: 'What went wrong here.' },
      links: objectOf({ type: { ...text, description: 'The kind of problem, as a profile of JSON:API names it.' } }, ['type']),
      source: { ...objectOf(place), description: 'Where in the request.' },
      ...(!strict && { ormCode: { ...text, description: 'Code of the data layer, where it failed.' } }),
      meta: { type: 'object' },
    },
    ['code', 'status', 'title', 'detail'],
  );
}
