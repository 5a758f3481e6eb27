import { ACTIONS } from '../../model/surface/rights.js';
import type { Action } from '../../model/surface/surface.js';
import type { SchemaFile } from './prisma-blocks.js';

/** The properties of a model in a Prisma schema that `init` reads. */
export interface ModelOutline {
  readonly name: string;
  /** Whether a comment hides it: `/// @api.hidden`. */
  readonly isHidden: boolean;
  readonly fields: readonly FieldOutline[];
  /** The fields of its primary key. */
  readonly key: readonly string[];
  /** The actions that the Prisma client supports on the model. */
  readonly actions: readonly Action[];
}

/** A field of the Prisma client. */
export interface FieldOutline {
  readonly name: string;
  readonly type: string;
  /** Whether a comment defines its exposure: `/// @api.…`. */
  readonly isDecided: boolean;
  /** For a relation, the fields of its foreign key in this model. */
  readonly foreignKey: readonly string[];
  /** Whether a create requires a value: the field is required and has no default. */
  readonly isRequired: boolean;
}

/** Matches the documentation lines before a block, and the block. The closing brace is on a separate line. */
const MODEL = /^((?:[ \t]*\/\/\/.*\r?\n)*)[ \t]*(model|view)[ \t]+(\w+)[ \t]*\{([\s\S]*?)^[ \t]*\}/gm;

/** Returns the models of a Prisma schema that the Prisma client has, in the order of the files. */
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

/**
 * Returns the actions of a model. Views are read-only. A model cannot be created if a
 * required column is missing in the Prisma client and has no default.
 */
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

/** Matches a field declaration. Fields of `Unsupported("…")` and with `@ignore` are excluded, because the Prisma client does not have them. */
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

/** Returns the names in a list such as `[tenantId, slug(sort: Desc)]`, without its brackets. */
function listIn(text: string | undefined): readonly string[] {
  return Array.from((text ?? '').replaceAll(/\([^)]*\)/g, '').matchAll(/\w+/g), ([name]) => name);
}
