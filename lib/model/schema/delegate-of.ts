/** Returns the property of a Prisma client for a model: its name with a lower-case first letter. */
export function delegateOf(model: string): string {
  return model.charAt(0).toLowerCase() + model.slice(1);
}
