import type { FieldPreset } from '../model/schema/resource-schema.js';

/** What an `@api.…` comment may say about a field. */
export const FIELD_PRESETS = ['hidden', 'readOnly', 'writeOnly', 'immutable'] as const satisfies readonly FieldPreset[];

/** What it may say about a model. */
export const MODEL_PRESETS = ['hidden'] as const satisfies readonly FieldPreset[];

/** What a comment may say about a field beside its exposure: that it counts the changes of its row. */
export const FIELD_MARKS = ['version'] as const;

/** Any `@api.…` that is not part of a longer word, as in an email address. */
const DIRECTIVE = /(?<!\w)@api\.([\w-]*)/g;

/**
 * Reads the exposure preset from the triple-slash documentation of a model or field, wherever it stands among other text:
 * `'Bcrypt, never sent. @api.hidden'` gives `hidden`; text without one gives undefined.
 *
 * @param place `Model` or `Model.field`, for the error.
 * @param marks Directives of another meaning, which stand beside a preset.
 * @throws Error when a preset is not among `known`, and when two differ: exposure is never guessed.
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

/** Whether a comment says `@api.version`. */
export function marksVersion(documentation: string | undefined): boolean {
  return directivesIn(documentation ?? '').includes('version');
}

/** The names after each `@api.` in a text, in order. */
export function directivesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(DIRECTIVE), ([, name]) => name ?? '');
}

/** A text without its directives, and without lines that have nothing else. */
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

/** The triple-slash comment of a model, field or enum, without what it says about exposure. */
export function readDocumentation({ documentation = '' }: { readonly documentation?: string }): { readonly documentation?: string } {
  const text = withoutDirectives(documentation);
  return text === '' ? {} : { documentation: text };
}
