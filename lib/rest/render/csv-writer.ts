import type { Attribute, Resource } from '../../model/surface/surface.js';
import { isWireText } from '../../wire/wire-text.js';
import type { ProjectedAttribute, ProjectedRelationship, ResourceProjection } from '../projection/projection.js';
import type { Row } from '../projection/row.js';
import type { ExportSettings, RestSettings } from '../rest-settings.js';
import { attributeText } from './attributes-text.js';
import type { ExportWriter } from './export-writer.js';
import { idOf } from './identifier-text.js';

/** What is written as CSV, and how. */
export interface CsvRules {
  readonly projection: ResourceProjection;
  /** The members that were asked for, in that order; undefined where all are shown. */
  readonly fieldset: ReadonlySet<string> | undefined;
  readonly settings: Pick<RestSettings, 'idDivider' | 'strict'>;
  readonly csv: ExportSettings['csv'];
}

/**
 * Writes a table (RFC 4180): the id, the attributes, and the ids of to-one relationships, in the order of the schema or of `fields` (SE-10). Null is an
 * empty cell, the empty text a quoted one. Texts that a spreadsheet would take for a formula get an apostrophe before them (SE-11, CWE-1236).
 */
export class CsvWriter implements ExportWriter {
  readonly head: string;
  private readonly columns: readonly Column[];

  constructor(private readonly rules: CsvRules) {
    const { projection, fieldset, csv } = rules;
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
    return quoted(isQuoted ? (JSON.parse(text) as string) : text);
  }

  private linkCell(row: Row, { keyOf, relationship }: ProjectedRelationship): string {
    const key = keyOf(row);
    return key ? this.idCell(key, relationship.target) : '';
  }

  private idCell(row: Row, resource: Resource): string {
    const { fields } = resource.identifier;
    const id = String(idOf(row, resource, this.rules.settings));
    return fields.length > 1 || fields.some(isText) ? this.textCell(id) : quoted(id);
  }

  private textCell(text: string): string {
    return quoted(this.rules.csv.escapeFormulas && FORMULA.test(text) ? `'${text}` : text);
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
