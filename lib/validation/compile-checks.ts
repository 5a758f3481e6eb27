import { ConfigurationError } from '../errors/configuration-error.js';
import type { BodyValidator, StandardSchema } from '../model/surface/body-validator.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Resource } from '../model/surface/surface.js';
import { classCheck, type ClassLibraries, type GivenClass, loadClassLibraries } from './class-check.js';
import type { RecordAction, RecordCheck, RecordChecks } from './record-check.js';
import { schemaCheck } from './schema-check.js';

/**
 * Prepares the host's validators (option `validate`) at boot, so that one which could not run is an error then and not a silent gap.
 *
 * @param load the libraries of DTO classes; asked only when a class is given
 * @throws ConfigurationError for a class when class-validator or class-transformer is missing, or has nothing to check on it
 */
export async function compileChecks(
  { resources }: Pick<ResourceModel, 'resources'>,
  load: () => Promise<ClassLibraries> = loadClassLibraries,
): Promise<RecordChecks> {
  const given = resources.flatMap(validatorsOf);
  const firstClass = given.find(({ validator }) => !isStandardSchema(validator));
  const libraries = firstClass && (await loadOrExplain(firstClass.place, load));
  const checks = new Map<string, Partial<Record<RecordAction, RecordCheck>>>();
  for (const { model, action, validator, place } of given) {
    const check = isStandardSchema(validator)
      ? schemaCheck(validator)
      : libraries && classCheck({ type: validator, action, place }, libraries);
    checks.set(model, { ...checks.get(model), [action]: check });
  }
  return checks;
}

/** A validator of something else than a record, e.g. the body of an action. */
interface GivenBody {
  readonly validator: BodyValidator;
  /** Where it was given, for errors. */
  readonly place: string;
  /** The group of decorators that runs beside those without one. */
  readonly group: string;
}

/**
 * {@link compileChecks} for bodies that are no records.
 *
 * @throws ConfigurationError as it does
 */
export async function compileBodyCheck({ validator, place, group }: GivenBody): Promise<RecordCheck> {
  if (isStandardSchema(validator)) return schemaCheck(validator);
  return classCheck({ type: validator, action: group, place }, await loadOrExplain(place, loadClassLibraries));
}

interface GivenValidator extends Omit<GivenClass, 'type'> {
  /** Prisma's name. */
  readonly model: string;
  readonly validator: BodyValidator;
}

const ACTIONS: readonly RecordAction[] = ['create', 'update'];

function validatorsOf(resource: Resource): readonly GivenValidator[] {
  return ACTIONS.flatMap((action) => {
    const validator = resource.validate?.[action];
    return validator ? [{ model: resource.model, action, validator, place: `resources.${resource.model}.validate.${action}` }] : [];
  });
}

/** A Standard Schema may be a function too (arktype), so that its own mark is what tells it from a class. */
function isStandardSchema(validator: BodyValidator): validator is StandardSchema {
  return '~standard' in validator;
}

async function loadOrExplain(place: string, load: () => Promise<ClassLibraries>): Promise<ClassLibraries> {
  try {
    return await load();
  } catch (cause) {
    throw new ConfigurationError(
      `${place} is a class, and class-validator or class-transformer cannot be loaded.`,
      'Install both, or give a Standard Schema (zod, valibot, …).',
      { cause },
    );
  }
}
