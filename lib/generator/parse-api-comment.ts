import type { FieldPreset } from '../model/schema/resource-schema.js';

/** The presets of an `@api.…` comment on a field. */
export const FIELD_PRESETS = ['hidden', 'readOnly', 'writeOnly', 'immutable'] as const satisfies readonly FieldPreset[];

/** The presets of an `@api.…` comment on a model. */
export const MODEL_PRESETS = ['hidden'] as const satisfies readonly FieldPreset[];

/** Directives on a field that are no presets: `version` marks the field that counts the changes of its row. */
export const FIELD_MARKS = ['version'] as const;

/** Matches `@api.…` unless it is part of a longer word, as in an email address. */
const DIRECTIVE = /(?<!\w)@api\.([\w-]*)/g;

/**
 * Reads the exposure preset from the triple-slash documentation of a model or field, at any position in the text. `'Bcrypt, never sent. @api.hidden'`
 * results in `hidden`; text without a preset results in undefined.
 *
 * @param place `Model` or `Model.field`, for the error.
 * @param marks Directives with another meaning, which may occur beside a preset.
 * @throws Error if a preset is not among `known`, or two presets differ, because exposure is never guessed.
 */
export function parseApiComment<P extends FieldPreset>(
  documentation: string | undefined,
  place: string,
  known: readonly P[],
  marks: readonly string[] = [],
): P | undefined {
  const names = directivesIn(documentation ?? '').filter((name) => !marks.includes(name));
  const presets = new Set(names.map((name) => readPreset(name, place, known)));
  if (presets.size > 1) throw new Error(`${place} has ${list(presets)}, which contradict each other. Keep one of them.`);
  return presets.values().next().value;
}

/** Whether a comment has `@api.version`. */
export function marksVersion(documentation: string | undefined): boolean {
  return directivesIn(documentation ?? '').includes('version');
}

/** Returns the names after each `@api.` in a text, in order. */
export function directivesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(DIRECTIVE), ([, name]) => name ?? '');
}

/** Removes the directives from a text, and the lines that contain nothing else. */
export function withoutDirectives(text: string): string {
  const lines = text.split('\n').flatMap((line) => {
    const rest = line.replaceAll(DIRECTIVE, '').trim();
    return rest === '' && line.trim() !== '' ? [] : [rest];
  });
  return lines.join('\n').trim();
}

function readPreset<P extends FieldPreset>(name: string, place: string, known: readonly P[]): P {
  const preset = known.find((candidate) => candidate === name);
  if (preset === undefined) throw new Error(`${place} has @api.${name}, which means nothing there. Known: ${list(known)}.`);
  return preset;
}

function list(presets: Iterable<string>): string {
  return Array.from(presets, (preset) => `@api.${preset}`).join(', ');
}

/** Reads the triple-slash comment of a model, field or enum, without its directives. */
export function readDocumentation({ documentation = '' }: { readonly documentation?: string }): { readonly documentation?: string } {
  const text = withoutDirectives(documentation);
  return text === '' ? {} : { documentation: text };
}
