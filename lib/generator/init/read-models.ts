import { ACTIONS } from '../../model/surface/rights.js';
import type { Action } from '../../model/surface/surface.js';
import type { SchemaFile } from './prisma-blocks.js';

/** A model of a Prisma schema, as far as `init` decides about it. */
export interface ModelOutline {
  readonly name: string;
  /** Whether a comment hides it: `/// @api.hidden`. */
  readonly isHidden: boolean;
  readonly fields: readonly FieldOutline[];
  /** The fields of its primary key. */
  readonly key: readonly string[];
  /** What the Prisma client can do with it. */
  readonly actions: readonly Action[];
}

/** A field that the Prisma client has. */
export interface FieldOutline {
  readonly name: string;
  readonly type: string;
  /** Whether a comment decides about it: `/// @api.…`. */
  readonly isDecided: boolean;
  /** Of a relation: the fields of its foreign key in this model. */
  readonly foreignKey: readonly string[];
  /** Whether a new record must be given a value: the field is required, and nothing fills it. */
  readonly isRequired: boolean;
}

/** Documentation of its own lines, then the block: its brace ends it on a line of its own. */
const MODEL = /^((?:[ \t]*\/\/\/.*\r?\n)*)[ \t]*(model|view)[ \t]+(\w+)[ \t]*\{([\s\S]*?)^[ \t]*\}/gm;

/** The models of a Prisma schema that the Prisma client has, in the order of its files. */
export function readModels(files: readonly SchemaFile[]): readonly ModelOutline[] {
  return files.flatMap(({ text }) =>
    Array.from(withoutBlockComments(text).matchAll(MODEL)).flatMap(([, documentation = '', kind = '', name = '', body = '']) => {
      if (/^[ \t]*@@ignore\b/m.test(body)) return [];
      const fields = readFields(body);
      const compound = listIn(/^[ \t]*@@id\(\s*(?:fields:\s*)?\[([^\]]*)\]/m.exec(body)?.[1]);
      const [single] = /^[ \t]*(\w+)[ \t].*@id\b/m.exec(withoutComments(body))?.slice(1) ?? [];
      const key = single === undefined ? compound : [single];
      return [
        { name, isHidden: /@api\.hidden\b/.test(documentation), fields, key, actions: deriveModelActions(kind, withoutComments(body)) },
      ];
    }),
  );
}

/** Views are read. A required column that the Prisma client does not have, and that nothing fills, leaves nothing to create. */
function deriveModelActions(kind: string, body: string): readonly Action[] {
  if (kind === 'view') return ['read'];
  return ACTIONS.filter((action) => action !== 'create' || !UNFILLED.test(body));
}

const UNFILLED = /^[ \t]*\w+[ \t]+(?:Unsupported\("[^"]*"\)(?![?[])|\w+(?![?[\w])(?=.*@ignore\b))(?!.*@(?:default|updatedAt)\b)/m;

function withoutBlockComments(text: string): string {
  return text.replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, '');
}

function withoutComments(body: string): string {
  return body.replaceAll(/\/\/.*$/gm, '');
}

function readFields(body: string): readonly FieldOutline[] {
  const fields: FieldOutline[] = [];
  let documentation = '';
  for (const line of body.split(/\r?\n/).map((each) => each.trim())) {
    const isDocumentation = line.startsWith('///');
    if (!isDocumentation) fields.push(...readField(line, documentation));
    documentation = isDocumentation ? documentation + line : '';
  }
  return fields;
}

/** A field as a line declares it; of `Unsupported("…")` and with `@ignore`, the Prisma client has none. */
const FIELD = /^(\w+)[ \t]+(?!Unsupported\b)(\w+)(?!.*@ignore\b)(.*)$/;

function readField(line: string, documentation: string): readonly FieldOutline[] {
  const [, name, type = '', rest = ''] = FIELD.exec(line) ?? [];
  if (name === undefined) return [];
  const comments = documentation + (/\/\/\/.*$/.exec(rest)?.[0] ?? '');
  const foreignKey = listIn(/@relation\([^)]*\bfields:\s*\[([^\]]*)\]/.exec(rest)?.[1]);
  const isRequired = !/^[?[]/.test(rest) && !FILLED.test(withoutComments(rest));
  return [{ name, type, isDecided: /@api\.\w/.test(comments), foreignKey, isRequired }];
}

const FILLED = /@(?:default|updatedAt)\b/;

/** The names of a list such as `[tenantId, slug(sort: Desc)]`, without its brackets. */
function listIn(text: string | undefined): readonly string[] {
  return Array.from((text ?? '').replaceAll(/\([^)]*\)/g, '').matchAll(/\w+/g), ([name]) => name);
}
