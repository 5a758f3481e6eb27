import { parseDocument } from '../../../../lib/rest/parse/parse-document.js';
import { parseCollectionTarget, parseResourceTarget } from '../../../../lib/rest/parse/parse-target.js';
import type { ResourceIntent } from '../../../../lib/rest/parse/write-intent.js';
import { type FixtureOptions, writeContext } from '../write-fixture.js';

/** A create that gives all that a post needs. */
export const POST = { type: 'post', attributes: { slug: 'a', title: 'A', authorId: 1 } };

export interface CreateOptions extends FixtureOptions {
  readonly type?: string;
}

export interface UpdateOptions extends CreateOptions {
  readonly id?: string;
}

/** Reads the body of `POST /post`. */
export function create(body: unknown, { type = 'post', ...options }: CreateOptions = {}): ResourceIntent {
  const context = writeContext(options);
  return parseDocument(parseCollectionTarget('create', { type }, context), body, context);
}

/** Reads the body of `PATCH /post/7`. */
export function update(body: unknown, { type = 'post', id = '7', ...options }: UpdateOptions = {}): ResourceIntent {
  const context = writeContext(options);
  return parseDocument(parseResourceTarget('update', { type, id }, context), body, context);
}

export function valuesOf({ content }: ResourceIntent): Record<string, unknown> {
  return Object.fromEntries(content.attributes.map(({ attribute, value }) => [attribute.name, value]));
}

export function linkageOf({ content }: ResourceIntent): Record<string, string[]> {
  return Object.fromEntries(content.linkages.map(({ relationship, records }) => [relationship.name, records.map(({ id }) => id.text)]));
}

/** A document of a post with these attributes. */
export const patchWith = (attributes: unknown): unknown => ({ data: { type: 'post', attributes } });
/** A document of a post with these relationships. */
export const linkWith = (relationships: unknown): unknown => ({ data: { type: 'post', relationships } });

export const user = (id: unknown): object => ({ type: 'user', id });
export const tag = (id: unknown): object => ({ type: 'tag', id });
