import type { ResourceProjection } from '../projection/projection.js';
import type { Row } from '../projection/row.js';
import type { RestSettings } from '../rest-settings.js';
import { attributesText, NO_NOTES } from './attributes-text.js';
import type { ExportWriter } from './export-writer.js';
import { identifierText, openIdentifier } from './identifier-text.js';
import { metaText } from './text-writer.js';

/**
 * Writes a line for each resource: its object as in the data of a document, without links (SE-03). The last line says how many there were, or the
 * errors that ended it.
 */
export class NdjsonWriter implements ExportWriter {
  readonly head = '';

  constructor(
    private readonly projection: ResourceProjection,
    private readonly settings: RestSettings,
  ) {}

  row(row: Row, cursorOf: (row: Row) => string): string {
    const { resource, attributes, text } = this.projection;
    const identifier = openIdentifier(row, resource, text.open, this.settings);
    return `${identifier}${attributesText(row, attributes, '', NO_NOTES)}${this.relationshipsText(row)}${metaText(row, resource, cursorOf(row))}}\n`;
  }

  end(count: number): string {
    return `${JSON.stringify({ meta: { complete: true, count } })}\n`;
  }

  readonly lastWords = (document: unknown): string => {
    const { errors } = document as { readonly errors?: unknown };
    return `${JSON.stringify({ errors })}\n`;
  };

  /** Without links, a relationship is its linkage, where the row tells it. */
  private relationshipsText(row: Row): string {
    const members = this.projection.relationships.flatMap(({ shown, keyOf, relationship, text }) => {
      const key = shown ? keyOf(row) : undefined;
      if (key === undefined) return [];
      const data = key ? identifierText(key, relationship.target, text.identifier, this.settings) : 'null';
      return [`${text.open}"data":${data}}`];
    });
    return members.length > 0 ? `,"relationships":{${members.join()}}` : '';
  }
}
