/** The option of that name; a model or field may be called `constructor`, which every object has without saying so. */
export function ownOption<Option>(options: Readonly<Record<string, Option>> | undefined, name: string): Option | undefined {
  return options && Object.hasOwn(options, name) ? options[name] : undefined;
}
