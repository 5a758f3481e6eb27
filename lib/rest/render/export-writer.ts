import type { Attribute, Resource } from '../../model/surface/surface.js';
import type { Row } from '../../query/result.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { isWireText } from '../../wire/wire-text.js';
import type { ProjectedAttribute, ProjectedRelationship, ResourceProjection } from '../projection/projection.js';
import type { ExportSettings, RestSettings } from '../../options/rest-settings.js';
import { attributesText, attributeText, identifierText, idOf, metaText, NO_NOTES, openIdentifier } from './resource-text.js';

/** Serializes an export row by row. */
export interface ExportWriter {
  /** Text before the first row. */
  readonly head: string;
  /**
   * Returns the text of a row.
   *
   * @param cursorOf returns the row's cursor: `page[after]` with it continues the export after that row. Absent if the order has no cursors
   */
  row(row: Row, cursorOf?: (row: Row) => string): string;
  /** Returns the text after the last row of a complete export. */
  end(count: number): string;
  /** Returns the text that ends an incomplete export, from the error document. Absent if the format has none. */
  readonly lastWords?: (document: unknown) => string;
}

/**
 * Writes NDJSON: one line for each resource object, without links (SE-03). The last line has the number of resources, or the errors that
 * ended the export.
 */
export class NdjsonWriter implements ExportWriter {
  readonly head = '';

  constructor(
    private readonly projection: ResourceProjection,
    private readonly settings: RestSettings,
  ) {}

  row(row: Row, cursorOf?: (row: Row) => string): string {
    const { resource, attributes, text } = this.projection;
    const identifier = openIdentifier(row, resource, text.open, this.settings);
    return `${identifier}${attributesText(row, attributes, '', NO_NOTES)}${this.relationshipsText(row)}${metaText(row, resource, cursorOf?.(row))}}\n`;
  }

  end(count: number): string {
    return `${JSON.stringify({ meta: { complete: true, count } })}\n`;
  }

  readonly lastWords = (document: unknown): string => {
    return `${JSON.stringify({ errors: isPlainObject(document) ? document['errors'] : undefined })}\n`;
  };

  /** Returns the member `relationships`. Because exports have no links, it has only relationships whose linkage the row holds. */
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

/**
 * Writes CSV (RFC 4180): the id, the attributes, and the ids of to-one relationships, in the order of the schema or of `fields` (SE-10).
 *
 * Null is an empty cell, and an empty string is a quoted one. A text that a spreadsheet would read as a formula gets an apostrophe before
 * it (SE-11, CWE-1236).
 */
export class CsvWriter implements ExportWriter {
  readonly head: string;
  private readonly columns: readonly Column[];

  /** @param fieldset the members that `fields` names, in its order; undefined for all members */
  constructor(
    projection: ResourceProjection,
    fieldset: ReadonlySet<string> | undefined,
    private readonly settings: Pick<RestSettings, 'idDivider' | 'strict'>,
    private readonly csv: ExportSettings['csv'],
  ) {
    const rank = new Map([...(fieldset ?? [])].map((member, index) => [member, index]));
    const rankOf = (member: string): number => rank.get(member) ?? rank.size;
    const attributes = projection.attributes.toSorted((one, other) => rankOf(one.attribute.member) - rankOf(other.attribute.member));
    const relationships = projection.relationships
      .filter(({ shown, relationship }) => shown && !relationship.many)
      .toSorted((one, other) => rankOf(one.relationship.member) - rankOf(other.relationship.member));
    const { resource } = projection;
    this.columns = [
      { name: 'id', cell: (row) => this.idCell(row, resource) },
      ...attributes.map((projected) => ({ name: projected.attribute.member, cell: (row: Row) => this.attributeCell(row, projected) })),
      ...relationships.map((projected) => ({ name: projected.relationship.member, cell: (row: Row) => this.linkCell(row, projected) })),
    ];
    this.head = (csv.bom ? BOM : '') + lineOf(this.columns.map(({ name }) => this.textCell(name)));
  }

  row(row: Row): string {
    return lineOf(this.columns.map(({ cell }) => cell(row)));
  }

  /** Returns nothing: a complete table has no end mark. The connection of an incomplete one is closed early. */
  end(): string {
    return '';
  }

  private attributeCell(row: Row, projected: ProjectedAttribute): string {
    const { attribute } = projected;
    const value = row[attribute.name];
    // An extension of the data client can return a string for a number or a date.
    if (typeof value === 'string' && attribute.type !== 'Json' && !isWireText(attribute.type, value)) return this.textCell(value);
    const text = attributeText(row, projected);
    if (text === undefined) return '';
    // A scalar that is a JSON string becomes its plain text. Lists and Json values stay JSON.
    const isQuoted = text.startsWith('"') && attribute.type !== 'Json';
    return quoted(isQuoted ? String(JSON.parse(text)) : text);
  }

  private linkCell(row: Row, { keyOf, relationship }: ProjectedRelationship): string {
    const key = keyOf(row);
    return key ? this.idCell(key, relationship.target) : '';
  }

  private idCell(row: Row, resource: Resource): string {
    const { fields } = resource.identifier;
    const id = String(idOf(row, resource, this.settings));
    return fields.length > 1 || fields.some(isText) ? this.textCell(id) : quoted(id);
  }

  private textCell(text: string): string {
    return quoted(this.csv.escapeFormulas && FORMULA.test(text) ? `'${text}` : text);
  }
}

interface Column {
  readonly name: string;
  readonly cell: (row: Row) => string;
}

const BOM = '\ufeff';

/** First characters that make a spreadsheet read a cell as a formula, or that it skips before one. */
const FORMULA = /^[=+\-@\t\r]/;

/** Whether a field holds arbitrary text. Numbers, dates and bytes need no apostrophe, since a sign in them is part of the value. */
function isText({ type, list }: Attribute): boolean {
  return !list && (type === 'String' || type === 'Enum');
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join()}\r\n`;
}
