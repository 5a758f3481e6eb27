import type { Attribute, Resource } from '../../model/surface/surface.js';
import type { Row } from '../../query/result.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { isWireText } from '../../wire/wire-text.js';
import type { ProjectedAttribute, ProjectedRelationship, ResourceProjection } from '../projection/projection.js';
import type { ExportSettings, RestSettings } from '../../options/rest-settings.js';
import { attributesText, attributeText, identifierText, idOf, metaText, NO_NOTES, openIdentifier } from './resource-text.js';

/** Writes the text of an export, row by row. */
export interface ExportWriter {
  /** What comes before all rows. */
  readonly head: string;
  /** @param cursorOf gives the cursor that falls on the row: an export that begins after it goes on where this one ends. Absent in orders that have no cursors */
  row(row: Row, cursorOf?: (row: Row) => string): string;
  /** What says that all rows are there. */
  end(count: number): string;
  /** What says that not all rows are there, by the document of the error; absent where the form has no words for it. */
  readonly lastWords?: (document: unknown) => string;
}

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

/**
 * Writes a table (RFC 4180): the id, the attributes, and the ids of to-one relationships, in the order of the schema or of `fields` (SE-10). Null is an
 * empty cell, the empty text a quoted one. Texts that a spreadsheet would take for a formula get an apostrophe before them (SE-11, CWE-1236).
 */
export class CsvWriter implements ExportWriter {
  readonly head: string;
  private readonly columns: readonly Column[];

  /** @param fieldset the members that were asked for, in that order; undefined where all are shown */
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

  /** A table that is whole ends; one that is not is broken off. */
  end(): string {
    return '';
  }

  private attributeCell(row: Row, projected: ProjectedAttribute): string {
    const { attribute } = projected;
    const value = row[attribute.name];
    // Also what an extension of the data client has put in the place of a number or a time.
    if (typeof value === 'string' && attribute.type !== 'Json' && !isWireText(attribute.type, value)) return this.textCell(value);
    const text = attributeText(row, projected);
    if (text === undefined) return '';
    // A scalar that JSON has as a string is that string; lists and Json are JSON.
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

/** What spreadsheets take for the beginning of a formula, or skip before one. */
const FORMULA = /^[=+\-@\t\r]/;

/** Numbers, times and bytes have forms of their own, in which a sign is one. */
function isText({ type, list }: Attribute): boolean {
  return !list && (type === 'String' || type === 'Enum');
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join()}\r\n`;
}
