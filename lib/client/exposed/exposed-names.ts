import type { Exposed, ExposedAction, ExposedRight } from './exposed-by.js';

/** The fields of a model that a right is open for. */
export type FieldsWith<Shown extends Exposed, Model extends string, Right extends ExposedRight> = {
  [Name in keyof Shown[Model]['fields']]: Right extends Shown[Model]['fields'][Name] ? Name : never;
}[keyof Shown[Model]['fields']];

/** The names that a `where` may hold: fields that may be filtered by, and compound keys of nothing else. */
export type FilterKey<Shown extends Exposed, Model extends string> =
  | FieldsWith<Shown, Model, 'filter'>
  | {
      [Key in keyof Shown[Model]['keys']]: [Exclude<Shown[Model]['keys'][Key], FieldsWith<Shown, Model, 'filter'>>] extends [never]
        ? Key
        : never;
    }[keyof Shown[Model]['keys']];

/** The model that a relation leads to; never for any other field. */
export type Target<Shown extends Exposed, Model extends string, Name> = Name extends keyof Shown[Model]['relations']
  ? Shown[Model]['relations'][Name]
  : never;

/** Whether a model is open for all of these actions. */
export type Allows<Shown extends Exposed, Model extends string, Actions extends ExposedAction> = [Actions] extends [Shown[Model]['actions']]
  ? true
  : false;
