import type { OpenApiComponents, OpenApiDocument, PathItem } from './open-api.js';

/**
 * One member of a document: a path, a component, or another member of the document itself. A document is built part by part, so that a
 * large one need not be in memory as a whole.
 */
export interface DocumentPart {
  /** `''` for members of the document itself, `paths`, or the section of the components, e.g. `schemas`. */
  readonly section: string;
  readonly name: string;
  readonly value: unknown;
}

export type PartName = Omit<DocumentPart, 'value'>;

/** Returns the parts of a document. */
export function partsOf(document: object): readonly DocumentPart[] {
  const { paths, components, ...members }: { readonly paths?: unknown; readonly components?: object } = document;
  const sections = Object.entries<unknown>({ '': members, paths, ...components });
  const parts = sections.flatMap(([section, all]) =>
    Object.entries(all ?? {}).map(([name, value]: [string, unknown]): DocumentPart => ({ section, name, value })),
  );
  return parts.filter(({ value }) => value !== undefined);
}

/** The sections that every document has. */
export const SECTIONS: readonly string[] = ['', 'paths', 'schemas', 'parameters', 'responses', 'requestBodies'];

/** The parts of a document by section and name, in any form. */
export class Sections<Form> {
  readonly #sections = new Map<string, Map<string, Form>>(SECTIONS.map((section) => [section, new Map()]));

  set({ section, name }: PartName, form: Form): void {
    const parts = this.#sections.get(section) ?? new Map<string, Form>();
    this.#sections.set(section, parts.set(name, form));
  }

  /** Removes a part, and returns its form if it was there. */
  take({ section, name }: PartName): Form | undefined {
    const parts = this.#sections.get(section);
    const form = parts?.get(name);
    parts?.delete(name);
    return form;
  }

  *all(): Generator<readonly [PartName, Form]> {
    for (const [section, parts] of this.#sections) for (const [name, form] of parts) yield [{ section, name }, form];
  }

  of(section: string): Iterable<readonly [string, Form]> {
    return this.#sections.get(section) ?? [];
  }

  /** Returns the sections of the components. */
  components(): readonly string[] {
    return [...this.#sections.keys()].filter((section) => section !== '' && section !== 'paths');
  }
}

/** Builds the document that has the given parts, with its components in the order of their names. */
export function collectDocument(parts: Iterable<DocumentPart>): OpenApiDocument {
  const sections = new Sections<unknown>();
  for (const part of parts) sections.set(part, part.value);
  const section = (name: string): object => Object.fromEntries(sections.of(name));
  const sorted = (name: string): object => Object.fromEntries([...sections.of(name)].sort(([one], [other]) => (one < other ? -1 : 1)));
  // The casts are needed because a part has the type of its section, which is known only by its name.
  return {
    ...(section('') as Omit<OpenApiDocument, 'paths' | 'components'>),
    paths: section('paths') as Readonly<Record<string, PathItem>>,
    components: Object.fromEntries(sections.components().map((name) => [name, sorted(name)])) as unknown as OpenApiComponents,
  };
}
