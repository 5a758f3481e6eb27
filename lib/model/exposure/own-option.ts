/** Returns the option for a name. Inherited properties are ignored, because a model or field may be named `constructor`. */
export function ownOption<Option>(options: Readonly<Record<string, Option>> | undefined, name: string): Option | undefined {
  return options && Object.hasOwn(options, name) ? options[name] : undefined;
}
